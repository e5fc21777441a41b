import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMemo, type ReactNode } from 'react';
import type { BackupAttempt } from '@deviceportal/contract/backups';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { DataTable, type TableQuery } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';

export interface BackupAttemptsProps {
  readonly of: readonly BackupAttempt[];
  readonly query: TableQuery;
}

/** The newest attempts at complete backups. */
export function BackupAttempts({ of, query }: BackupAttemptsProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const columns = useMemo(() => columnsOf(t, format), [t, format]);
  return (
    <DataTable
      id="backup-attempts"
      label={t('backups.attempts')}
      withoutSettings
      wrapLines
      columns={columns}
      rows={of}
      rowKey={({ startedAt }) => startedAt}
      query={query}
      empty={{ title: t('backups.attempts.none') }}
      header={<Header variant="h2">{t('backups.attempts')}</Header>}
    />
  );
}

const columnsOf = (t: Translate, format: Formatters): readonly TableColumn<BackupAttempt>[] => [
  {
    id: 'started',
    header: t('backups.column.started'),
    cell: ({ startedAt }) => <Time at={startedAt} style="exact" />,
    rowHeader: true,
    always: true,
    minWidth: 200,
  },
  {
    id: 'result',
    header: t('backups.column.result'),
    cell: (attempt) => <Result of={attempt} />,
    minWidth: 240,
  },
  {
    id: 'size',
    header: t('backups.column.size'),
    cell: ({ bytes }) => (bytes === null ? '-' : format.bytes(bytes)),
    minWidth: 100,
  },
  {
    id: 'duration',
    header: t('backups.column.duration'),
    cell: ({ startedAt, endedAt, bytes }) =>
      bytes === null ? '-' : format.duration(Date.parse(endedAt) - Date.parse(startedAt)),
    minWidth: 110,
  },
  {
    id: 'start',
    header: t('backups.column.start'),
    cell: ({ isRequested }) => t(`backups.trigger.${isRequested ? 'requested' : 'scheduled'}`),
    minWidth: 110,
  },
];

function Result({ of: { fault, count } }: { readonly of: BackupAttempt }): ReactNode {
  const t = useT();
  if (fault === null) {
    return <StatusIndicator type="success">{t('backups.result.stored')}</StatusIndicator>;
  }
  return (
    <>
      <StatusIndicator type="error">
        {t('backups.result.failed', { count })} · {t(`backups.reason.${fault.reason}`)}
      </StatusIndicator>
      {fault.reason === 'interrupted' ? null : (
        <Box color="text-body-secondary" fontSize="body-s">
          <span lang="en" className="dp-backup-text">
            {fault.text}
          </span>
        </Box>
      )}
    </>
  );
}
