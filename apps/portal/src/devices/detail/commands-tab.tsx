import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { InvocationRow } from '@deviceportal/contract/invocations';
import { isFinal } from '@deviceportal/contract/states';
import { useApi } from '../../api/use-api.ts';
import { useFormat, type Formatters } from '../../i18n/format-values.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { NoAccess } from '../../ui/no-access.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { DataTable, useTablePageSize } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { useKeysetPages } from '../../ui/table/use-keyset-pages.ts';
import { Time } from '../../ui/time/time.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { invocationHref } from '../invocation-href.ts';
import type { DeviceTabProps } from './device-tab-props.ts';
import { exitCodeOf } from '../../commands/results/exit-code.ts';
import { parameterTitle } from '../../commands/form/parameter-words.ts';
import { useRunNews } from '../../commands/runs/use-run-news.ts';
import { useQueuedBehind, type QueuedBehind } from '../../commands/use-queued-behind.ts';
import { QueuedNote } from '../../commands/queued-note.tsx';
import { refreshWhile } from '../../live/refresh-policy.ts';

const TABLE = 'device-commands';

/** All commands of the device, with unfinished ones first. */
export function CommandsTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const { may } = useViewer();
  const pageSize = useTablePageSize(TABLE);
  const pages = useKeysetPages(`${device.id} ${pageSize}`);
  const query = useQuery(
    api.commands.listInvocations.queryOptions(
      { deviceId: device.id, pageSize, cursor: pages.cursor },
      {
        enabled: may('commands:read'),
        placeholderData: keepPreviousData,
        // Results are polled until final, with and without the live channel.
        refetchInterval: (asked) =>
          refreshWhile(
            asked.state.data?.rows.some((row) => !isFinal(row.state)),
            asked,
          ),
      },
    ),
  );
  const rows = useMemo(
    () =>
      query.data?.rows.toSorted(
        (one, other) => Number(isFinal(one.state)) - Number(isFinal(other.state)),
      ),
    [query.data],
  );
  const open =
    query.data?.rows.filter((row) => !isFinal(row.state)).map(({ runId }) => runId) ?? [];
  useRunNews(open, () => void query.refetch());
  const waits = useQueuedBehind(open, device.id);
  const columns = useMemo(() => invocationColumns(t, format, waits), [t, format, waits]);
  if (!may('commands:read'))
    return <NoAccess area={t('devices.tab.commands')} permission="commands:read" />;
  return (
    <DataTable
      id={TABLE}
      label={t('devices.tab.commands')}
      variant="container"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      query={query}
      empty={{ title: t('devices.commands.none'), body: t('devices.commands.noneBody') }}
      paging={{ pages, nextCursor: query.data?.nextCursor }}
    />
  );
}

function invocationColumns(
  t: Translate,
  format: Formatters,
  waits: QueuedBehind,
): readonly TableColumn<InvocationRow>[] {
  return [
    {
      id: 'command',
      header: t('devices.commands.command'),
      cell: (row) => <PortalLink href={invocationHref(row)}>{row.command}</PortalLink>,
      rowHeader: true,
      always: true,
      width: 180,
    },
    {
      id: 'state',
      header: t('devices.column.status'),
      cell: (row) => (
        <>
          <StatusOf
            kind="statusDetails"
            value={row.statusDetails}
            {...((exitCodeOf(row.responseCode) ?? 0) === 0
              ? {}
              : { detail: t('devices.commands.exit', { code: row.responseCode }) })}
          />
          {isFinal(row.state) ? null : <QueuedNote behind={waits.get(row.runId)} />}
        </>
      ),
      width: 220,
    },
    {
      id: 'queuedAt',
      header: t('devices.commands.queuedAt'),
      cell: (row) => <Time at={row.queuedAt} />,
      width: 140,
    },
    {
      id: 'duration',
      header: t('devices.commands.duration'),
      cell: (row) => durationWords(row, format),
      numeric: true,
      width: 110,
    },
    {
      id: 'createdBy',
      header: t('devices.commands.createdBy'),
      cell: (row) => row.createdBy,
      width: 160,
    },
    {
      id: 'parameters',
      header: t('devices.commands.parameters'),
      cell: (row) => parameterWords(row, t),
      width: 220,
    },
    { id: 'output', header: t('devices.commands.output'), cell: firstLine, width: 300 },
    {
      id: 'document',
      header: t('devices.commands.document'),
      cell: (row) => `${row.documentName}:${row.documentVersion}`,
      optional: true,
      width: 200,
    },
    {
      id: 'id',
      header: t('devices.commands.id'),
      cell: (row) => row.id,
      optional: true,
      width: 320,
    },
  ];
}

function durationWords({ startedAt, endedAt }: InvocationRow, format: Formatters): string {
  if (startedAt === null || endedAt === null) return '-';
  return format.duration(Date.parse(endedAt) - Date.parse(startedAt));
}

function parameterWords({ documentName, parameters }: InvocationRow, t: Translate): string {
  const words = Object.entries(parameters).map(
    ([name, value]) =>
      `${parameterTitle(documentName, name, t)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return words.join(' · ') || '-';
}

function firstLine({ outputPreview }: InvocationRow): ReactNode {
  const line = outputPreview.split('\n').find((each) => each.trim() !== '');
  return line === undefined ? '-' : <code>{line.slice(0, 120)}</code>;
}
