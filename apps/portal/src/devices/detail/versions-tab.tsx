import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo, type ReactNode } from 'react';
import type { SoftwareComponent } from '@deviceportal/contract/devices';
import { WhyPanel } from '../../explanations/why-panel.tsx';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { DevicePackages } from './device-packages.tsx';
import type { DeviceTabProps } from './device-tab-props.ts';
import { VersionHistory } from './version-history.tsx';

const here = { isPending: false, error: null, refetch: () => undefined };

/** The installed software of the device, and its changes. */
export function VersionsTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const columns = useMemo(() => softwareColumns(t), [t]);
  return (
    <SpaceBetween size="m">
      <DataTable
        id="device-software"
        label={t('devices.versions.now')}
        header={<Header variant="h2">{t('devices.versions.now')}</Header>}
        variant="container"
        columns={columns}
        rows={device.software}
        rowKey={({ component }) => component}
        query={here}
        empty={{ title: t('devices.versions.none'), body: t('devices.versions.noneBody') }}
        withoutSettings
      />
      {may('versions:read') && device.tavState !== null && device.tavState !== 'current' ? (
        <WhyPanel
          of={{ kind: 'device-versions', id: device.id }}
          type={device.tavState === 'blocked' ? 'error' : 'warning'}
          revision={device.tavState}
        />
      ) : null}
      {may('versions:read') ? <VersionHistory deviceId={device.id} /> : null}
      {may('versions:read') ? <DevicePackages deviceId={device.id} /> : null}
    </SpaceBetween>
  );
}

const softwareColumns = (t: Translate): TableColumn<SoftwareComponent>[] => [
  {
    id: 'component',
    header: t('devices.versions.component'),
    cell: ({ component }) => (
      <PortalLink href={`/tavs?component=${encodeURIComponent(component)}`}>{component}</PortalLink>
    ),
    rowHeader: true,
  },
  { id: 'version', header: t('devices.versions.version'), cell: ({ version }) => version },
  {
    id: 'tavState',
    header: t('devices.column.tavState'),
    cell: ({ tavState }) =>
      tavState === null ? '-' : <StatusOf kind="tavState" value={tavState} />,
  },
  {
    id: 'since',
    header: t('devices.versions.since'),
    cell: ({ since }) => <Time at={since} style="absolute" />,
  },
  {
    id: 'reportedAt',
    header: t('devices.versions.reportedAt'),
    cell: ({ reportedAt }) => <Time at={reportedAt} />,
  },
];
