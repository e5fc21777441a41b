import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { VersionChange } from '@deviceportal/contract/versions';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';

/** Software changes of the device. */
export function VersionHistory({ deviceId }: { readonly deviceId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const history = useQuery(api.versions.deviceHistory.queryOptions({ deviceId }));
  const columns = useMemo(
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
    <DataTable
      id="device-version-changes"
      label={t('devices.versions.history')}
      header={<Header variant="h2">{t('devices.versions.history')}</Header>}
      variant="container"
      columns={columns}
      rows={history.data}
      rowKey={({ component, at }) => `${component} ${at}`}
      query={history}
      empty={{ title: t('devices.versions.noHistory') }}
      withoutSettings
    />
  );
}
