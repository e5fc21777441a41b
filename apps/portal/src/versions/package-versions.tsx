import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { devicesWithPackage } from './devices-with-software.ts';
import { spreadOf, type SpreadRow } from './package-spread.ts';

/**
 * Versions of a package, newest first, with links to the devices with each version and with older
 * ones.
 */
export function PackageVersions({ name }: { readonly name: string }): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const query = useQuery(api.packages.listVersions.queryOptions({ name }));
  const columns = useMemo(() => columnsOf(name, t, format), [name, t, format]);
  return (
    <DataTable
      id="package-versions"
      label={t('versions.packages.of', { name })}
      variant="container"
      withoutSettings
      columns={columns}
      rows={query.data && spreadOf(query.data)}
      rowKey={({ version }) => version}
      query={query}
      empty={{ title: t('versions.packages.noDevice', { name }) }}
      header={
        <Header
          variant="h2"
          description={t('versions.packages.order')}
          actions={
            <PortalLink href={devicesWithPackage(name)}>
              {t('versions.installed.all', { component: name })}
            </PortalLink>
          }
        >
          {t('versions.packages.of', { name })}
        </Header>
      }
    />
  );
}

function columnsOf(name: string, t: Translate, format: Formatters): TableColumn<SpreadRow>[] {
  return [
    {
      id: 'version',
      header: t('versions.column.version'),
      cell: ({ version }) => version,
      rowHeader: true,
      always: true,
      width: 190,
    },
    {
      id: 'share',
      header: t('versions.column.share'),
      cell: ({ share }) => <ShareBar share={share} words={format.percent(share)} />,
      width: 150,
    },
    {
      id: 'devices',
      header: t('versions.column.devices'),
      cell: ({ version, devices }) => (
        <PortalLink
          href={devicesWithPackage(name, '=', version)}
          ariaLabel={t('versions.packages.with', {
            count: format.number(devices),
            name,
            version,
          })}
        >
          {format.number(devices)}
        </PortalLink>
      ),
      numeric: true,
      width: 95,
    },
    {
      id: 'older',
      header: t('versions.packages.older'),
      cell: ({ version, older }) =>
        older === 0 ? (
          '0'
        ) : (
          <PortalLink
            href={devicesWithPackage(name, '<', version)}
            ariaLabel={t('versions.packages.olderThan', {
              count: format.number(older),
              name,
              version,
            })}
          >
            {format.number(older)}
          </PortalLink>
        ),
      numeric: true,
      width: 110,
    },
  ];
}
