import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { SoftwareComponent } from '@deviceportal/contract/devices';
import type { VersionChange } from '@deviceportal/contract/versions';
import { useApi } from '../../api/use-api.ts';
import { WhyPanel } from '../../explanations/why-panel.tsx';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { DevicePackages } from './device-packages.tsx';
import type { DeviceTabProps } from './device-tab-content.tsx';

const here = { isPending: false, error: null, refetch: () => undefined };

/** What runs on the device now, and how it came to that. */
export function VersionsTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const history = useQuery(
    api.versions.deviceHistory.queryOptions(
      { deviceId: device.id },
      { enabled: may('versions:read') },
    ),
  );
  const now = useMemo(
    (): readonly TableColumn<SoftwareComponent>[] => [
      {
        id: 'component',
        header: t('devices.versions.component'),
        cell: ({ component }) => (
          <PortalLink href={`/tavs?component=${encodeURIComponent(component)}`}>
            {component}
          </PortalLink>
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
    ],
    [t],
  );
  const changes = useMemo(
    (): readonly TableColumn<VersionChange>[] => [
      {
        id: 'at',
        header: t('devices.versions.at'),
        cell: ({ at }) => <Time at={at} style="absolute" />,
        rowHeader: true,
      },
      {
        id: 'component',
        header: t('devices.versions.component'),
        cell: ({ component }) => component,
      },
      {
        id: 'change',
        header: t('devices.versions.change'),
        cell: ({ previousVersion, version }) =>
          `${previousVersion ?? t('devices.versions.new')} → ${version ?? t('devices.versions.gone')}`,
      },
    ],
    [t],
  );
  return (
    <SpaceBetween size="m">
      <DataTable
        id="device-software"
        label={t('devices.versions.now')}
        header={<Header variant="h2">{t('devices.versions.now')}</Header>}
        variant="container"
        columns={now}
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
      {may('versions:read') ? (
        <DataTable
          id="device-version-changes"
          label={t('devices.versions.history')}
          header={<Header variant="h2">{t('devices.versions.history')}</Header>}
          variant="container"
          columns={changes}
          rows={history.data}
          rowKey={({ component, at }) => `${component} ${at}`}
          query={history}
          empty={{ title: t('devices.versions.noHistory') }}
          withoutSettings
        />
      ) : null}
      {may('versions:read') ? <DevicePackages deviceId={device.id} /> : null}
    </SpaceBetween>
  );
}
