import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TextFilter from '@cloudscape-design/components/text-filter';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { InstalledPackage, PackageChange } from '@deviceportal/contract/packages';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { DataTable, useTablePageSize } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { useKeysetPages } from '../../ui/table/use-keyset-pages.ts';
import { Time } from '../../ui/time/time.tsx';

interface OfDevice {
  readonly deviceId: string;
}

/** Packages of the device’s package manager, and their changes. */
export function DevicePackages({ deviceId }: OfDevice): ReactNode {
  return (
    <SpaceBetween size="m">
      <InstalledPackages deviceId={deviceId} />
      <PackageChanges deviceId={deviceId} />
    </SpaceBetween>
  );
}

function InstalledPackages({ deviceId }: OfDevice): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const [text, setText] = useState('');
  const pageSize = useTablePageSize('device-packages');
  const pages = useKeysetPages(JSON.stringify([deviceId, text, pageSize]));
  const query = useQuery(
    api.packages.listOfDevice.queryOptions(
      { deviceId, text, cursor: pages.cursor, pageSize },
      { placeholderData: keepPreviousData },
    ),
  );
  const columns = useMemo(() => packageColumns(t), [t]);
  const { count, reportedAt = null } = query.data ?? {};
  return (
    <DataTable
      id="device-packages"
      label={t('devices.packages.title')}
      variant="container"
      columns={columns}
      rows={query.data?.rows}
      rowKey={({ name, version }) => `${name} ${version}`}
      query={query}
      empty={{ title: t('devices.packages.none'), body: t('devices.packages.noneBody') }}
      onClearFilter={text === '' ? undefined : () => setText('')}
      paging={{
        pages,
        nextCursor: query.data?.nextCursor,
        total: count === undefined ? undefined : { count, exact: true },
      }}
      header={
        <Header
          variant="h2"
          {...(count === undefined ? {} : { counter: `(${format.number(count)})` })}
          {...(reportedAt === null
            ? {}
            : {
                description: t('devices.packages.description', {
                  at: format.absolute(Date.parse(reportedAt)),
                }),
              })}
        >
          {t('devices.packages.title')}
        </Header>
      }
      filter={
        <TextFilter
          filteringText={text}
          filteringPlaceholder={t('devices.packages.find')}
          filteringAriaLabel={t('devices.packages.find')}
          onChange={({ detail }) => setText(detail.filteringText)}
        />
      }
    />
  );
}

function packageColumns(t: Translate): TableColumn<InstalledPackage>[] {
  return [
    {
      id: 'name',
      header: t('devices.packages.name'),
      cell: ({ name }) => (
        <PortalLink href={`/tavs?area=packages&package=${encodeURIComponent(name)}`}>
          {name}
        </PortalLink>
      ),
      rowHeader: true,
      always: true,
    },
    { id: 'version', header: t('devices.versions.version'), cell: ({ version }) => version },
    {
      id: 'since',
      header: t('devices.versions.since'),
      cell: ({ since }) => <Time at={since} style="absolute" />,
    },
  ];
}

function PackageChanges({ deviceId }: OfDevice): ReactNode {
  const t = useT();
  const api = useApi();
  const pages = useKeysetPages(deviceId);
  const query = useQuery(
    api.packages.listChanges.queryOptions(
      { deviceId, cursor: pages.cursor },
      { placeholderData: keepPreviousData },
    ),
  );
  const columns = useMemo(() => changeColumns(t), [t]);
  return (
    <DataTable
      id="device-package-changes"
      label={t('devices.packages.changes')}
      header={<Header variant="h2">{t('devices.packages.changes')}</Header>}
      variant="container"
      columns={columns}
      rows={query.data?.rows}
      rowKey={({ id }) => id}
      query={query}
      empty={{ title: t('devices.packages.noChanges') }}
      paging={{ pages, nextCursor: query.data?.nextCursor }}
      withoutSettings
    />
  );
}

function changeColumns(t: Translate): TableColumn<PackageChange>[] {
  return [
    {
      id: 'at',
      header: t('devices.versions.at'),
      cell: ({ at }) => <Time at={at} style="absolute" />,
      rowHeader: true,
    },
    { id: 'name', header: t('devices.packages.name'), cell: ({ name }) => name },
    {
      id: 'change',
      header: t('devices.versions.change'),
      cell: ({ before, after }) =>
        `${before ?? t('devices.versions.new')} → ${after ?? t('devices.versions.gone')}`,
    },
  ];
}
