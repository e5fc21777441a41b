import Badge from '@cloudscape-design/components/badge';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMemo, type ReactNode } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { DeviceStatus, LastSeen } from '../device-status.tsx';

/** The device list's columns; the same array until the language changes. */
export function useDeviceColumns(): readonly TableColumn<DeviceRow>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(() => {
    const text = (
      id: keyof DeviceRow & string,
      header: string,
      rest: Partial<TableColumn<DeviceRow>> = {},
    ): TableColumn<DeviceRow> => ({
      id,
      header,
      cell: (row) => (row[id] as string | null) ?? '-',
      ...rest,
    });
    return [
      {
        id: 'serialNumber',
        header: t('devices.column.serialNumber'),
        cell: (row) => <SerialLink row={row} />,
        sort: 'serialNumber',
        always: true,
        rowHeader: true,
        width: 170,
        minWidth: 130,
      },
      {
        id: 'status',
        header: t('devices.column.status'),
        cell: (row) => <DeviceStatus device={row} />,
        width: 280,
        minWidth: 140,
      },
      {
        id: 'lastSeen',
        header: t('devices.column.lastSeen'),
        cell: (row) => <LastSeen device={row} />,
        sort: 'lastSeen',
        width: 140,
        minWidth: 110,
      },
      {
        id: 'findings',
        header: t('devices.column.findings'),
        cell: ({ findings }) => <FoundWrong findings={findings} />,
        width: 240,
      },
      text('name', t('devices.column.name'), { sort: 'name', width: 190 }),
      {
        id: 'owner',
        header: t('devices.column.owner'),
        cell: (row) => row.owner?.name ?? '-',
        width: 160,
      },
      text('model', t('devices.column.model'), { width: 140 }),
      text('softwareVersion', t('devices.column.softwareVersion'), { width: 150 }),
      {
        id: 'tavState',
        header: t('devices.column.tavState'),
        cell: ({ tavState }) =>
          tavState === null ? '-' : <StatusOf kind="tavState" value={tavState} />,
        width: 190,
      },
      {
        id: 'country',
        header: t('devices.column.country'),
        cell: (row) => (row.country === null ? '-' : format.country(row.country)),
        width: 140,
      },
      {
        id: 'lifecycle',
        header: t('devices.column.lifecycle'),
        cell: (row) => <StatusOf kind="deviceLifecycle" value={row.lifecycle} />,
        optional: true,
        width: 130,
      },
      {
        id: 'labels',
        header: t('devices.column.labels'),
        cell: (row) => <Labels labels={row.labels} />,
        optional: true,
        width: 220,
      },
      text('platform', t('devices.column.platform'), { optional: true, width: 130 }),
      text('agentVersion', t('devices.column.agentVersion'), { optional: true, width: 130 }),
      text('hardwareRevision', t('devices.column.hardwareRevision'), {
        optional: true,
        width: 130,
      }),
      text('ipAddress', t('devices.column.ipAddress'), { optional: true, width: 150 }),
      text('id', t('devices.column.id'), { optional: true, width: 330 }),
      text('instanceId', t('devices.column.instanceId'), { optional: true, width: 220 }),
      {
        id: 'createdAt',
        header: t('devices.column.createdAt'),
        cell: (row) => <Time at={row.createdAt} />,
        optional: true,
        width: 150,
      },
    ];
  }, [t, format]);
}

/** A device without a serial number is still reached by its first column. */
function SerialLink({ row }: { readonly row: DeviceRow }): ReactNode {
  const t = useT();
  return (
    <span data-device={row.id}>
      <PortalLink href={`/devices/${row.id}`}>
        {row.serialNumber ?? t('devices.noSerialNumber')}
      </PortalLink>
    </span>
  );
}

/** The worst thing that is wrong, and how many more there are. */
function FoundWrong({ findings }: Pick<DeviceRow, 'findings'>): ReactNode {
  const t = useT();
  const [worst, ...others] = findings;
  if (worst === undefined) return '-';
  return (
    <StatusIndicator type={worst.severity}>
      {t(`devices.finding.${worst.rule}`)}
      {others.length > 0 ? ` +${others.length}` : ''}
    </StatusIndicator>
  );
}

export function Labels({ labels }: { readonly labels: DeviceRow['labels'] }): ReactNode {
  const entries = Object.entries(labels);
  if (entries.length === 0) return '-';
  return (
    <SpaceBetween direction="horizontal" size="xxs">
      {entries.map(([key, value]) => (
        <Badge key={key}>{value === '' ? key : `${key}: ${value}`}</Badge>
      ))}
    </SpaceBetween>
  );
}
