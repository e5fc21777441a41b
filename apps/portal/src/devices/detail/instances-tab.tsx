import { useMemo, type ReactNode } from 'react';
import type { DeviceInstance } from '@deviceportal/contract/devices';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import type { DeviceTabProps } from './device-tab-props.ts';

const here = { isPending: false, error: null, refetch: () => undefined };

/** All agent instances of the device. */
export function InstancesTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const columns = useMemo(
    () => [...agentColumns(t), ...addressColumns(t), ...certificateColumns(t)],
    [t],
  );
  return (
    <DataTable
      id="device-instances"
      label={t('devices.view.instances')}
      variant="container"
      columns={columns}
      rows={device.instances}
      rowKey={({ id }) => id}
      query={here}
      empty={{ title: t('devices.instances.none'), body: t('devices.instances.noneBody') }}
    />
  );
}

const agentColumns = (t: Translate): TableColumn<DeviceInstance>[] => [
  {
    id: 'id',
    header: t('devices.column.instanceId'),
    cell: ({ id }) => <CopyableId value={id} name={t('devices.column.instanceId')} />,
    rowHeader: true,
    always: true,
    width: 230,
  },
  {
    id: 'state',
    header: t('devices.column.status'),
    cell: ({ state }) => <StatusOf kind="instance" value={state} />,
    width: 130,
  },
  {
    id: 'platform',
    header: t('devices.column.platform'),
    cell: (row) => `${row.platformName} ${row.platformVersion}`,
    width: 200,
  },
  {
    id: 'architecture',
    header: t('devices.instances.architecture'),
    cell: (row) => row.architecture,
    width: 140,
  },
  {
    id: 'agentVersion',
    header: t('devices.column.agentVersion'),
    cell: (row) => row.agentVersion,
    width: 150,
  },
];

const addressColumns = (t: Translate): TableColumn<DeviceInstance>[] => [
  {
    id: 'hostName',
    header: t('devices.instances.hostName'),
    cell: (row) => row.hostName,
    width: 180,
  },
  {
    id: 'ipAddress',
    header: t('devices.column.ipAddress'),
    cell: (row) => row.ipAddress ?? '-',
    width: 140,
  },
];

/** Managed instances of AWS Systems Manager have none. */
const hasCertificate = ({ certificateFingerprint }: DeviceInstance): boolean =>
  certificateFingerprint !== '';

const certificateColumns = (t: Translate): TableColumn<DeviceInstance>[] => [
  {
    id: 'enrolledAt',
    header: t('devices.instances.enrolledAt'),
    cell: (row) => <Time at={row.enrolledAt} />,
    width: 140,
  },
  {
    id: 'lastPingAt',
    header: t('devices.instances.lastPingAt'),
    cell: (row) => <Time at={row.lastPingAt} />,
    width: 140,
  },
  {
    id: 'certificateEndsAt',
    header: t('devices.instances.certificateEndsAt'),
    cell: (row) => (hasCertificate(row) ? <Time at={row.certificateEndsAt} /> : '-'),
    width: 170,
  },
  {
    id: 'certificateFingerprint',
    header: t('devices.instances.fingerprint'),
    cell: (row) =>
      hasCertificate(row) ? (
        <CopyableId value={row.certificateFingerprint} name={t('devices.instances.fingerprint')} />
      ) : (
        '-'
      ),
    optional: true,
    width: 320,
  },
];
