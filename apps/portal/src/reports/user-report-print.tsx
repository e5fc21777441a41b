import { useEffect, type ReactNode } from 'react';
import type { UserReport } from '@deviceportal/contract/reports';
import { useAuditWords } from '../audit-trail/use-audit-words.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../shell/error-reaction/error-view.tsx';
import { setPageTitle } from '../shell/page-title.ts';
import { PendingPage } from '../shell/pending-page.tsx';
import { wordOf } from '../shell/status-of.tsx';
import { lastLines } from '../commands/last-lines.ts';
import { durationOf } from './report-columns.tsx';
import { ReportFindings } from './report-findings-list.tsx';
import { PrintTable } from './print-table.tsx';
import { usePersonFacts } from './use-person-facts.ts';
import './user-report.css';
import { useUserReport } from './use-user-report.ts';

/** The report for paper: nothing around it, always light, headers of tables on every page. */
export function UserReportPrint({
  personId,
  period,
}: {
  readonly personId: string;
  readonly period: string;
}): ReactNode {
  const t = useT();
  const { query } = useUserReport(personId, period, true);
  const title = t('reports.title');
  useEffect(() => setPageTitle(title), [title]);
  if (query.data === undefined) {
    return query.error === null ? (
      <PendingPage />
    ) : (
      <main className="dp-alone">
        <ErrorView
          error={query.error}
          place="alert"
          subject={{ kind: t('reports.kind.person'), id: personId }}
          onRetry={() => void query.refetch()}
        />
      </main>
    );
  }
  return <PrintedReport report={query.data} period={period} />;
}

function PrintedReport({
  report,
  period,
}: {
  readonly report: UserReport;
  readonly period: string;
}): ReactNode {
  const t = useT();
  const facts = usePersonFacts(report.person);
  const back = `/reports/user-report?${new URLSearchParams({ person: report.person.id, t: period }).toString()}`;
  return (
    <main className="dp-print" id="main-content">
      <p className="dp-print-tools">
        <button type="button" onClick={() => window.print()}>
          {t('reports.print.button')}
        </button>{' '}
        <a href={back}>{t('reports.print.back')}</a>
      </p>
      <h1>{t('reports.print.about', { name: report.person.name })}</h1>
      <p>
        {t('reports.span', { from: report.from, to: report.to })}
        <br />
        {t('reports.made', { by: report.createdBy, at: report.createdAt })}
      </p>
      <h2>{t('reports.summary.findings')}</h2>
      <ReportFindings report={report} />
      <h2>{t('reports.section.person')}</h2>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? '-'}</dd>
          </div>
        ))}
      </dl>
      <PrintedTables report={report} />
    </main>
  );
}

function PrintedTables({ report }: { readonly report: UserReport }): ReactNode {
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  const words = useAuditWords();
  return (
    <>
      <PrintTable
        title={t('reports.section.devices')}
        none={t('reports.none.devices')}
        headers={[
          t('reports.column.device'),
          t('reports.column.connection'),
          t('reports.column.lifecycle'),
          t('reports.column.model'),
          t('reports.column.software'),
          t('reports.column.lastSeen'),
        ]}
        rows={report.devices.map((row) => [
          row.serialNumber ?? row.name,
          wordOf('connectivity', row.connectivity, language),
          wordOf('deviceLifecycle', row.lifecycle, language),
          row.model ?? '-',
          row.softwareVersion ?? '-',
          row.lastSeenAt ?? '-',
        ])}
      />
      <PrintTable
        title={t('reports.section.commands')}
        none={t('reports.none.commands')}
        headers={[
          t('reports.column.time'),
          t('reports.column.command'),
          t('reports.column.device'),
          t('reports.column.result'),
          t('reports.column.duration'),
          t('reports.column.by'),
          t('reports.column.output'),
        ]}
        rows={report.invocations.map((row) => [
          row.queuedAt,
          row.command,
          row.serialNumber ?? row.deviceName,
          wordOf('statusDetails', row.statusDetails, language),
          durationOf(row, format),
          row.createdBy,
          lastLines(row.outputPreview, PRINTED_LINES),
        ])}
      />
      <PrintTable
        title={t('reports.section.events')}
        none={t('reports.none.events')}
        headers={[t('reports.column.time'), t('reports.column.event'), t('reports.column.summary')]}
        rows={report.events.map((event) => [event.at, words.type(event), words.sentence(event)])}
      />
    </>
  );
}

const PRINTED_LINES = 5;
