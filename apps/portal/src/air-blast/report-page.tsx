import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { useApi } from '../api/use-api.ts';
import { EvidenceMenu } from '../evidence/evidence-menu.tsx';
import { useFormat } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs } from '../ui/page-slots.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { AirBlastStatus } from './air-blast-status.tsx';
import { ApprovalsTable } from './approvals-table.tsx';
import { FailureTable } from './progress/failure-table.tsx';
import { ProgressPanel } from './progress/progress-panel.tsx';
import { ReportExport } from './report-export.tsx';
import { stateDetail } from './state-detail.ts';
import { Timeline } from './progress/timeline.tsx';
import { WavesTable } from './progress/waves-table.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

export const Route = createLazyRoute('/air-blast/$id/report')({ component: ReportPage });

const route = getRouteApi('/air-blast/$id/report');

/** The result of a rollout: the success rate, waves, failure reasons, approvals, and timeline. */
function ReportPage(): ReactNode {
  const t = useT();
  const language = useLanguage();
  const api = useApi();
  const { id } = route.useParams();
  const run = useQuery(
    api.airBlast.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data?.endedAt ? false : refreshMs.work) },
    ),
  );
  const isOpen = run.data?.endedAt === null;
  const result = useQuery(
    api.airBlast.getResult.queryOptions(
      { id },
      { refetchInterval: isOpen ? refreshMs.work : false },
    ),
  );
  useBreadcrumbs([
    { text: t('app.nav.airBlast'), href: '/air-blast' },
    { text: run.data?.name ?? id, href: `/air-blast/${id}` },
    { text: t('airBlast.reportTitle'), href: `/air-blast/${id}/report` },
  ]);
  if (run.isError && run.data === undefined) {
    return (
      <ErrorView
        error={run.error}
        subject={{ kind: t('app.nav.airBlast'), id }}
        onRetry={() => void run.refetch()}
      />
    );
  }
  if (run.data === undefined) return <PageHeader title={t('airBlast.reportTitle')} />;
  const { name, stateReason } = run.data;
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('airBlast.reportOf', { name })}
        description={<AirBlastStatus run={run.data} detail={stateDetail(stateReason, language)} />}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <EvidenceMenu kind="air-blast" id={id} isOwn={run.data.mine} />
            <ReportExport id={id} />
          </SpaceBetween>
        }
      />
      <Summary run={run.data} />
      <ProgressPanel run={run.data} />
      <WavesTable run={run.data} />
      <FailureTable run={run.data} query={result} />
      <ApprovalsTable run={run.data} />
      <Timeline query={result} />
    </SpaceBetween>
  );
}

function Summary({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { report } = run;
  const looked = report.asIntended + report.different;
  const number = (value: number): string => format.number(value);
  const tookMs = run.endedAt === null ? null : Date.parse(run.endedAt) - Date.parse(run.createdAt);
  return (
    <Container header={<Header variant="h2">{t('airBlast.report')}</Header>}>
      <KeyValue
        items={[
          {
            label: t('airBlast.asIntended'),
            value:
              looked === 0 ? null : (
                <ShareBar
                  share={report.asIntended / looked}
                  words={`${number(report.asIntended)} (${format.percent(report.asIntended / looked)})`}
                />
              ),
          },
          { label: t('airBlast.different'), value: number(report.different) },
          { label: t('airBlast.notVerified'), value: number(report.notVerified) },
          { label: t('airBlast.group.failed'), value: number(report.failed) },
          { label: t('airBlast.notChanged'), value: number(report.notChanged) },
          { label: t('airBlast.leftOut'), value: number(report.leftOut) },
          { label: t('airBlast.noGo'), value: number(report.noGo) },
          { label: t('airBlast.excluded'), value: number(report.excluded) },
          { label: t('airBlast.change'), value: run.change },
          { label: t('airBlast.operator'), value: run.operator },
          { label: t('airBlast.took'), value: tookMs === null ? null : format.duration(tookMs) },
        ]}
      />
    </Container>
  );
}
