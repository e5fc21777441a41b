import type { InvocationRow } from '@deviceportal/contract/invocations';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { invocationHref } from '../devices/invocation-href.ts';
import type { Formatters } from '../i18n/format-values.ts';
import type { Translate } from '../i18n/use-t.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { StatusOf } from '../shell/status-of.tsx';
import type { TableColumn } from '../shell/table/table-column.ts';
import { Time } from '../shell/time.tsx';
import { exitCodeOf } from '../commands/exit-code.ts';

export function deviceColumns(t: Translate, format: Formatters): TableColumn<DeviceRow>[] {
  return [
    {
      id: 'device',
      header: t('reports.column.device'),
      cell: (row) => (
        <PortalLink href={`/devices/${row.id}`}>{row.serialNumber ?? row.name}</PortalLink>
      ),
      rowHeader: true,
      width: 170,
    },
    {
      id: 'connection',
      header: t('reports.column.connection'),
      cell: (row) => <StatusOf kind="connectivity" value={row.connectivity} />,
      width: 150,
    },
    {
      id: 'lifecycle',
      header: t('reports.column.lifecycle'),
      cell: (row) => <StatusOf kind="deviceLifecycle" value={row.lifecycle} />,
      width: 130,
    },
    { id: 'model', header: t('reports.column.model'), cell: (row) => row.model ?? '-', width: 150 },
    {
      id: 'software',
      header: t('reports.column.software'),
      cell: (row) => row.softwareVersion ?? '-',
      width: 120,
    },
    {
      id: 'country',
      header: t('reports.field.country'),
      cell: (row) => (row.country === null ? '-' : format.country(row.country)),
      width: 150,
    },
    {
      id: 'lastSeen',
      header: t('reports.column.lastSeen'),
      cell: (row) => <Time at={row.lastSeenAt} style="utc" />,
      width: 220,
    },
  ];
}

export function durationOf({ startedAt, endedAt }: InvocationRow, format: Formatters): string {
  if (startedAt === null || endedAt === null) return '-';
  return format.duration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)));
}

export function commandColumns(t: Translate, format: Formatters): TableColumn<InvocationRow>[] {
  return [
    {
      id: 'command',
      header: t('reports.column.command'),
      cell: (row) => <PortalLink href={invocationHref(row)}>{row.command}</PortalLink>,
      rowHeader: true,
      width: 180,
    },
    {
      id: 'result',
      header: t('reports.column.result'),
      cell: (row) => (
        <StatusOf
          kind="statusDetails"
          value={row.statusDetails}
          {...((exitCodeOf(row.responseCode) ?? 0) === 0
            ? {}
            : { detail: `(exit ${row.responseCode})` })}
        />
      ),
      width: 200,
    },
    {
      id: 'device',
      header: t('reports.column.device'),
      cell: (row) => (
        <PortalLink href={`/devices/${row.deviceId}`}>
          {row.serialNumber ?? row.deviceName}
        </PortalLink>
      ),
      width: 150,
    },
    {
      id: 'time',
      header: t('reports.column.time'),
      cell: (row) => <Time at={row.queuedAt} style="utc" />,
      width: 220,
    },
    {
      id: 'duration',
      header: t('reports.column.duration'),
      cell: (row) => durationOf(row, format),
      numeric: true,
      width: 110,
    },
    { id: 'by', header: t('reports.column.by'), cell: (row) => row.createdBy, width: 190 },
    {
      id: 'output',
      header: t('reports.column.output'),
      cell: (row) =>
        row.outputPreview === '' ? '-' : <span className="dp-id">{row.outputPreview}</span>,
      width: 360,
    },
  ];
}
