import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Toggle from '@cloudscape-design/components/toggle';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { InvocationRow } from '@deviceportal/contract/invocations';
import { useApi } from '../../api/use-api.ts';
import { WhyButton } from '../../explanations/why-button.tsx';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { serverNowMs } from '../../ui/time/server-clock.ts';
import { StatusOf } from '../../ui/status-of.tsx';
import { DataTable, useTablePageSize } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { useKeysetPages } from '../../ui/table/use-keyset-pages.ts';
import { Time } from '../../ui/time/time.tsx';
import { elapsedMs } from './invocation-progress.ts';
import { lastLines } from './last-lines.ts';
import { exitCodeOf } from './exit-code.ts';
import { refreshMs } from '../../live/refresh-policy.ts';

const SETTLE_MS = 1_000;
const FAILED_STATES = ['Failed', 'TimedOut', 'Cancelled'];

export interface InvocationTableProps {
  readonly runId: string;
  readonly running: boolean;
  /** Changes with the counts of the run, and reloads the rows. */
  readonly revision: string;
  readonly onOpen: (invocationId: string) => void;
}

/** The devices of a run with their state and the first output. */
export function InvocationTable(props: InvocationTableProps): ReactNode {
  const { runId, running, revision, onOpen } = props;
  const t = useT();
  const api = useApi();
  const [failedOnly, setFailedOnly] = useState(false);
  const pageSize = useTablePageSize('run-invocations');
  const pages = useKeysetPages(JSON.stringify([runId, failedOnly, pageSize]));
  const query = useQuery(
    api.commands.listInvocations.queryOptions(
      { runId, states: failedOnly ? FAILED_STATES : [], pageSize, cursor: pages.cursor },
      {
        placeholderData: keepPreviousData,
        refetchInterval: running ? refreshMs.work : false,
      },
    ),
  );
  const { refetch } = query;
  useEffect(() => {
    // Counts can change four times per second. While the run is in progress, the reload is
    // debounced.
    const timer = setTimeout(() => void refetch(), running ? SETTLE_MS : 0);
    return () => clearTimeout(timer);
  }, [revision, running, refetch]);
  const columns = useInvocationColumns(onOpen);
  return (
    <DataTable
      id="run-invocations"
      label={t('commands.devices.title')}
      columns={columns}
      rows={query.data?.rows}
      rowKey={(row) => row.id}
      query={query}
      header={
        <Header
          variant="h2"
          actions={
            <Toggle checked={failedOnly} onChange={({ detail }) => setFailedOnly(detail.checked)}>
              {t('commands.devices.failedOnly')}
            </Toggle>
          }
        >
          {t('commands.devices.title')}
        </Header>
      }
      empty={{ title: t('commands.devices.none') }}
      onClearFilter={failedOnly ? () => setFailedOnly(false) : undefined}
      paging={{ pages, nextCursor: query.data?.nextCursor }}
      variant="container"
    />
  );
}

function useInvocationColumns(
  onOpen: (invocationId: string) => void,
): readonly TableColumn<InvocationRow>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'device',
        header: t('commands.target.device'),
        rowHeader: true,
        always: true,
        cell: (row) => (
          <Button variant="inline-link" onClick={() => onOpen(row.id)}>
            {row.serialNumber ?? row.deviceName}
          </Button>
        ),
      },
      {
        id: 'state',
        header: t('commands.steps.state'),
        minWidth: 150,
        cell: (row) => (
          <>
            <StatusOf
              kind="statusDetails"
              value={row.statusDetails}
              {...((exitCodeOf(row.responseCode) ?? 0) === 0
                ? {}
                : { detail: t('commands.result.exit', { code: row.responseCode }) })}
            />{' '}
            {row.state === 'Success' ? null : (
              <WhyButton
                of={{ kind: 'invocation', id: row.id }}
                name={row.serialNumber ?? row.deviceName}
              />
            )}
          </>
        ),
      },
      {
        id: 'started',
        header: t('commands.result.startedAt'),
        cell: (row) => <Time at={row.startedAt} />,
      },
      {
        id: 'duration',
        header: t('commands.steps.duration'),
        numeric: true,
        cell: (row) =>
          row.startedAt === null ? '-' : format.duration(elapsedMs(row, serverNowMs())),
      },
      {
        id: 'output',
        header: t('commands.devices.lastLine'),
        cell: (row) => lastLines(row.outputPreview.trim(), 1) || '-',
      },
    ],
    [t, format, onOpen],
  );
}
