import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { UserReport } from '@deviceportal/contract/reports';
import { useT } from '../i18n/use-t.ts';
import { downloadFrom } from '../shell/download-from.ts';
import { useFlash } from '../shell/flash-store.ts';
import { reportCsv, reportFileName, type ReportTable } from './report-csv.ts';

export interface ReportActionsProps {
  readonly report: UserReport | undefined;
  readonly onMakeAgain: () => void;
}

const URL_KEPT_MS = 60_000;

/** Hand the report on: as a link, on paper, as files. */
export function ReportActions({ report, onMakeAgain }: ReportActionsProps): ReactNode {
  const t = useT();
  const flash = useFlash();
  if (report === undefined) return null;
  const copyLink = (): void => {
    navigator.clipboard.writeText(location.href).then(
      () => flash.add({ type: 'success', content: t('shell.copy.done') }),
      () => flash.add({ type: 'error', content: t('shell.copy.failed') }),
    );
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button iconName="refresh" ariaLabel={t('reports.actions.refresh')} onClick={onMakeAgain} />
      <Button iconName="copy" onClick={copyLink}>
        {t('reports.actions.copyLink')}
      </Button>
      <ButtonDropdown
        items={[
          { id: 'json', text: t('reports.actions.json') },
          { id: 'devices', text: t('reports.actions.devices') },
          { id: 'commands', text: t('reports.actions.commands') },
          { id: 'events', text: t('reports.actions.events') },
        ]}
        onItemClick={({ detail }) => save(report, detail.id as ReportTable | 'json')}
      >
        {t('reports.actions.download')}
      </ButtonDropdown>
      <Button
        variant="primary"
        iconName="external"
        iconAlign="right"
        href={printHref(report)}
        target="_blank"
      >
        {t('reports.actions.print')}
      </Button>
    </SpaceBetween>
  );
}

/** The print view shows the same period, whenever it is opened. */
function printHref({ person, from, to }: UserReport): string {
  const search = new URLSearchParams({ person: person.id, t: `${from}..${to}`, print: '1' });
  return `/reports/user-report?${search.toString()}`;
}

function save(report: UserReport, part: ReportTable | 'json'): void {
  const [text, type] =
    part === 'json'
      ? [`${JSON.stringify(report, null, 2)}\n`, 'application/json']
      : // The byte order mark makes spreadsheets read UTF-8.
        [`\u{FEFF}${reportCsv(report, part)}`, 'text/csv;charset=utf-8'];
  const url = URL.createObjectURL(new Blob([text], { type }));
  downloadFrom(
    url,
    part === 'json' ? reportFileName(report, 'all', 'json') : reportFileName(report, part, 'csv'),
  );
  setTimeout(() => URL.revokeObjectURL(url), URL_KEPT_MS);
}
