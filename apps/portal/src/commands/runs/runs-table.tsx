import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { RunRow } from '@deviceportal/contract/runs';
import { isFinal } from '@deviceportal/contract/states';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { serverNowMs } from '../../ui/time/server-clock.ts';
import { StatusOf } from '../../ui/status-of.tsx';
import { DataTable, useTablePageSize } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { useKeysetPages } from '../../ui/table/use-keyset-pages.ts';
import { Time } from '../../ui/time/time.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { failedOf, runElapsedMs } from '../results/invocation-progress.ts';
import { runHref } from './run-href.ts';
import { useRunNews } from './use-run-news.ts';
import { useQueuedBehind, type QueuedBehind } from '../use-queued-behind.ts';
import { QueuedNote } from '../queued-note.tsx';
import { refreshWhile } from '../../live/refresh-policy.ts';

export interface RunsFilter {
  readonly mine: boolean;
  readonly active: boolean;
  readonly awaiting: boolean;
  readonly failing: boolean;
  /** `2026-11-20`, in UTC. */
  readonly endedOn: string | null;
  readonly deviceId: string | null;
  readonly documentName: string | null;
}

export interface RunsTableProps {
  readonly id: string;
  readonly filter: RunsFilter;
  readonly onFilter: (change: Partial<RunsFilter>) => void;
}

/** Runs, newest first. Polls while a run on the page is not final. */
export function RunsTable({ id, filter, onFilter }: RunsTableProps): ReactNode {
  const t = useT();
  const api = useApi();
  const pageSize = useTablePageSize(id);
  const pages = useKeysetPages(JSON.stringify([filter, pageSize]));
  const query = useQuery(
    api.commands.listRuns.queryOptions(
      { ...filter, pageSize, cursor: pages.cursor },
      {
        placeholderData: keepPreviousData,
        refetchInterval: (asked) =>
          refreshWhile(
            asked.state.data?.rows.some((run) => !isFinal(run.state)),
            asked,
          ),
      },
    ),
  );
  const open = openRunsOf(query.data?.rows);
  useRunNews(open, () => void query.refetch());
  const queuedBehind = useQueuedBehind(open);
  const filtered =
    filter.mine ||
    filter.active ||
    filter.awaiting ||
    filter.failing ||
    filter.deviceId !== null ||
    filter.endedOn !== null;
  return (
    <DataTable
      id={id}
      label={t('commands.history.title')}
      columns={useRunColumns(queuedBehind)}
      rows={query.data?.rows}
      rowKey={(run) => run.id}
      query={query}
      header={
        <Header variant="h2" actions={<RunsFilters filter={filter} onFilter={onFilter} />}>
          {t('commands.history.title')}
        </Header>
      }
      empty={{ title: t('commands.history.none'), body: t('commands.history.noneBody') }}
      onClearFilter={
        filtered
          ? () =>
              onFilter({
                mine: false,
                active: false,
                awaiting: false,
                failing: false,
                endedOn: null,
                deviceId: null,
              })
          : undefined
      }
      paging={{ pages, nextCursor: query.data?.nextCursor }}
      variant="container"
    />
  );
}

function RunsFilters({ filter, onFilter }: Omit<RunsTableProps, 'id'>): ReactNode {
  const t = useT();
  const { may } = useViewer();
  return (
    <SpaceBetween direction="horizontal" size="m" alignItems="center">
      {filter.deviceId === null ? null : (
        <Button iconName="close" iconAlign="right" onClick={() => onFilter({ deviceId: null })}>
          {t('commands.history.oneDevice')}
        </Button>
      )}
      {filter.endedOn === null ? null : (
        <Button iconName="close" iconAlign="right" onClick={() => onFilter({ endedOn: null })}>
          {t('commands.history.endedOn', { day: filter.endedOn })}
        </Button>
      )}
      <Toggle checked={filter.mine} onChange={({ detail }) => onFilter({ mine: detail.checked })}>
        {t('commands.history.mine')}
      </Toggle>
      <Toggle
        checked={filter.active}
        onChange={({ detail }) => onFilter({ active: detail.checked })}
      >
        {t('commands.history.active')}
      </Toggle>
      {may('air-blast:approve') || filter.awaiting ? (
        <Toggle
          checked={filter.awaiting}
          onChange={({ detail }) => onFilter({ awaiting: detail.checked })}
        >
          {t('commands.history.awaiting')}
        </Toggle>
      ) : null}
      <Toggle
        checked={filter.failing}
        onChange={({ detail }) => onFilter({ failing: detail.checked })}
      >
        {t('commands.history.failing')}
      </Toggle>
    </SpaceBetween>
  );
}

const openRunsOf = (rows: readonly RunRow[] = []): string[] =>
  rows.filter((run) => !isFinal(run.state)).map(({ id }) => id);

function useRunColumns(queuedBehind: QueuedBehind): readonly TableColumn<RunRow>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'command',
        width: 180,
        header: t('commands.columns.command'),
        rowHeader: true,
        always: true,
        cell: (run) => <PortalLink href={runHref(run)}>{run.command}</PortalLink>,
      },
      {
        id: 'state',
        width: 190,
        header: t('commands.steps.state'),
        cell: (run) => (
          <>
            <StatusOf
              kind="statusDetails"
              value={run.statusDetails}
              {...(failedOf(run.counters) > 0 && run.counters.target > 1
                ? { detail: t('commands.columns.failed', { count: failedOf(run.counters) }) }
                : {})}
            />
            <QueuedNote behind={queuedBehind.get(run.id)} />
          </>
        ),
      },
      {
        id: 'target',
        width: 200,
        header: t('commands.target.title'),
        cell: (run) =>
          run.deviceId === null ? (
            t('commands.target.count', { count: run.counters.target })
          ) : (
            <PortalLink href={`/devices/${run.deviceId}`}>
              {run.serialNumber ?? run.deviceName}
            </PortalLink>
          ),
      },
      {
        id: 'createdAt',
        header: t('commands.columns.createdAt'),
        cell: (run) => <Time at={run.createdAt} />,
      },
      {
        id: 'duration',
        header: t('commands.steps.duration'),
        numeric: true,
        cell: (run) => format.duration(runElapsedMs(run, serverNowMs())),
      },
      { id: 'by', header: t('commands.result.by'), cell: (run) => run.createdBy },
      {
        id: 'document',
        width: 260,
        header: t('commands.document.title'),
        cell: (run) => (
          <PortalLink href={`/documents/${run.documentName}?v=${run.documentVersion}`}>
            {`${run.documentName}:${run.documentVersion}`}
          </PortalLink>
        ),
      },
      {
        id: 'comment',
        header: t('commands.options.comment'),
        cell: (run) => run.comment || '-',
        optional: true,
      },
    ],
    [t, format, queuedBehind],
  );
}
