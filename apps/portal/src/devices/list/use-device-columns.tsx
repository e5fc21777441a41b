import { useMemo } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { useFormat, type Formatters } from '../../i18n/format-values.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { StatusOf } from '../../ui/status-of.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { DeviceStatus, LastSeen } from '../device-status.tsx';
import { FindingsCell, Labels, SerialLink } from './device-cells.tsx';

/** Columns of the device list. The array is stable until the language changes. */
export function useDeviceColumns(): readonly TableColumn<DeviceRow>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [...stateColumns(t), ...descriptionColumns(t, format), ...optionalColumns(t)],
    [t, format],
  );
}

type TextColumn =
  | 'name'
  | 'model'
  | 'softwareVersion'
  | 'platform'
  | 'agentVersion'
  | 'hardwareRevision'
  | 'ipAddress'
  | 'id'
  | 'instanceId';

const text = (
  t: Translate,
  id: TextColumn,
  rest: Partial<TableColumn<DeviceRow>>,
): TableColumn<DeviceRow> => ({
  id,
  header: t(`devices.column.${id}`),
  cell: (row) => row[id] ?? '-',
  ...rest,
});

const stateColumns = (t: Translate): TableColumn<DeviceRow>[] => [
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
    width: 230,
    minWidth: 140,
  },
  {
    id: 'lastSeen',
    header: t('devices.column.lastSeen'),
    cell: (row) => <LastSeen device={row} />,
    sort: 'lastSeen',
    width: 150,
    minWidth: 110,
  },
  {
    id: 'findings',
    header: t('devices.column.findings'),
    cell: ({ findings }) => <FindingsCell findings={findings} />,
    width: 170,
    minWidth: 130,
  },
];

const descriptionColumns = (t: Translate, format: Formatters): TableColumn<DeviceRow>[] => [
  text(t, 'name', { sort: 'name', width: 190 }),
  {
    id: 'owner',
    header: t('devices.column.owner'),
    cell: (row) => row.owner?.name ?? '-',
    width: 145,
  },
  text(t, 'model', { width: 140 }),
  text(t, 'softwareVersion', { width: 170 }),
  {
    id: 'tavState',
    header: t('devices.column.tavState'),
    cell: ({ tavState }) =>
      tavState === null ? '-' : <StatusOf kind="tavState" value={tavState} />,
    width: 225,
    minWidth: 150,
  },
  {
    id: 'country',
    header: t('devices.column.country'),
    cell: (row) => (row.country === null ? '-' : format.country(row.country)),
    width: 155,
  },
];

const optionalColumns = (t: Translate): TableColumn<DeviceRow>[] => [
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
  text(t, 'platform', { optional: true, width: 130 }),
  text(t, 'agentVersion', { optional: true, width: 130 }),
  text(t, 'hardwareRevision', {
    optional: true,
    width: 130,
  }),
  text(t, 'ipAddress', { optional: true, width: 150 }),
  text(t, 'id', { optional: true, width: 330 }),
  text(t, 'instanceId', { optional: true, width: 220 }),
  {
    id: 'createdAt',
    header: t('devices.column.createdAt'),
    cell: (row) => <Time at={row.createdAt} />,
    optional: true,
    width: 150,
  },
];
