import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { useApi } from '../api/use-api.ts';
import { useDeviceColumns } from '../devices/list/use-device-columns.tsx';
import { useLiveRows } from '../devices/list/use-live-rows.ts';
import { RunCommandMenu } from '../devices/run-command-menu.tsx';
import { useT } from '../i18n/use-t.ts';
import { encodeFilter } from '../ui/filter-codec.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';

const SHOWN = 50;
const columnIds = ['serialNumber', 'status', 'findings', 'tavState', 'softwareVersion', 'lastSeen'];

/** The person’s devices with status, findings, versions, and suggested next steps. */
export function PersonDevices({ personId }: { readonly personId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const options = api.devices.list.queryOptions({
    filter: {
      tokens: [{ key: 'owner', operator: '=', values: [personId] }],
      operation: 'and',
      text: '',
      targetListId: null,
    },
    sort: 'lastSeen',
    descending: true,
    pageSize: SHOWN,
  });
  const query = useQuery(options);
  const rows = useLiveRows(options.queryKey, query.data?.rows);
  const q = encodeFilter({
    operation: 'and',
    tokens: [{ key: 'owner', operator: '=', values: [personId] }],
  });
  return (
    <DataTable
      id="person-devices"
      label={t('people.devices')}
      variant="container"
      withoutSettings
      wrapLines
      columns={usePersonDeviceColumns()}
      rows={rows}
      rowKey={(row) => row.id}
      query={query}
      empty={{ title: t('people.noDevices') }}
      header={
        <Header
          variant="h2"
          counter={rows === undefined ? '' : `(${rows.length}${query.data?.nextCursor ? '+' : ''})`}
          actions={
            <PortalLink href={`/devices?q=${encodeURIComponent(q)}`}>
              {t('people.devicesAsList')}
            </PortalLink>
          }
        >
          {t('people.devices')}
        </Header>
      }
    />
  );
}

function usePersonDeviceColumns(): readonly TableColumn<DeviceRow>[] {
  const t = useT();
  const all = useDeviceColumns();
  return useMemo(() => {
    const shown = columnIds.flatMap((id) => all.find((column) => column.id === id) ?? []);
    return [
      // Without sorting, because the list has a fixed order.
      ...shown.map(({ sort: _sort, ...column }) => column),
      {
        id: 'act',
        header: t('people.act'),
        minWidth: 215,
        cell: (row) => <RunCommandMenu targets={[row]} label={t('devices.command.run')} />,
      },
    ];
  }, [t, all]);
}
