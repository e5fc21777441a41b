import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { InstalledVersion } from '@deviceportal/contract/versions';
import { useApi } from '../api/use-api.ts';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { DataTable, type TableSort } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { devicesWithSoftware } from './devices-with-software.ts';
import { sortVersions, type VersionSort } from './sort-versions.ts';

/** Installed versions of a component, with the share of devices. */
export function InstalledTable({ component }: { readonly component: string }): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const query = useQuery(api.versions.listInstalled.queryOptions({ component }));
  const [sorting, setSorting] = useState<TableSort>({ sort: 'devices', descending: true });
  const hasApprovals = query.data?.some(({ approvedFor }) => approvedFor.length > 0) ?? false;
  // Hides the column if no version has a state.
  const hasStates = query.data?.some(({ state }) => state !== null) ?? false;
  const columns = useMemo(
    () =>
      columnsOf(t, format).filter(
        ({ id }) => (id !== 'approvedFor' || hasApprovals) && (id !== 'state' || hasStates),
      ),
    [t, format, hasApprovals, hasStates],
  );
  const rows =
    query.data && sortVersions(query.data, sorting.sort as VersionSort, sorting.descending);
  return (
    <DataTable
      id="installed-versions"
      label={t('versions.installed.title', { component })}
      variant="container"
      withoutSettings
      columns={columns}
      rows={rows}
      rowKey={({ version }) => version}
      query={query}
      sorting={sorting}
      onSort={setSorting}
      empty={{ title: t('versions.installed.none') }}
      header={
        <Header
          variant="h2"
          {...(rows === undefined ? {} : { counter: `(${rows.length})` })}
          actions={
            <PortalLink href={devicesWithSoftware(component)}>
              {t('versions.installed.all', { component })}
            </PortalLink>
          }
        >
          {t('versions.installed.title', { component })}
        </Header>
      }
    />
  );
}

function columnsOf(t: Translate, format: Formatters): TableColumn<InstalledVersion>[] {
  return [
    {
      id: 'version',
      header: t('versions.column.version'),
      cell: ({ component, version }) => (
        <PortalLink
          href={devicesWithSoftware(component, version)}
          ariaLabel={t('versions.installed.devices', { component, version })}
        >
          {version}
        </PortalLink>
      ),
      sort: 'version',
      rowHeader: true,
      always: true,
      width: 130,
    },
    {
      id: 'share',
      header: t('versions.column.share'),
      cell: ({ share }) => <ShareBar share={share} words={format.percent(share)} />,
      width: 180,
    },
    {
      id: 'devices',
      header: t('versions.column.devices'),
      cell: ({ devices }) => format.number(devices),
      sort: 'devices',
      numeric: true,
      width: 95,
    },
    {
      id: 'state',
      header: t('versions.column.state'),
      cell: ({ state }) =>
        state === null ? (
          t('versions.installed.notOnRecord')
        ) : (
          <StatusOf kind="softwareVersion" value={state} />
        ),
      width: 140,
    },
    {
      id: 'firstSeen',
      header: t('versions.column.firstSeen'),
      cell: (row) => <Time at={row.firstSeenAt} />,
      width: 125,
    },
    {
      id: 'lastReported',
      header: t('versions.column.lastReported'),
      cell: (row) => <Time at={row.lastReportedAt} />,
      width: 125,
    },
    {
      id: 'approvedFor',
      header: t('versions.column.approvedFor'),
      cell: ({ approvedFor }) => approvedFor.join(', ') || '-',
      width: 200,
    },
  ];
}
