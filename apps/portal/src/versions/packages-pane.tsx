import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import TextFilter from '@cloudscape-design/components/text-filter';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, type ReactNode } from 'react';
import type { PackageSummary } from '@deviceportal/contract/packages';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useRefresh } from '../ui/page-slots.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { PackageVersions } from './package-versions.tsx';

export interface PackagesPaneProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Empty if none is selected. */
  readonly chosen: string;
}

const PAGE_SIZE = 15;

/**
 * Packages installed by package managers across the fleet, and the versions of the selected one.
 */
export function PackagesPane({ text, onText, chosen }: PackagesPaneProps): ReactNode {
  const t = useT();
  const api = useApi();
  const pages = useKeysetPages(text);
  const query = useQuery(
    api.packages.search.queryOptions(
      { text, cursor: pages.cursor, pageSize: PAGE_SIZE },
      { placeholderData: keepPreviousData },
    ),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const columns = useColumns(chosen, text);
  const isNarrow = useIsNarrow();
  const list = (
    <DataTable
      key="list"
      id="packages"
      label={t('versions.packages.title')}
      variant="container"
      withoutSettings
      columns={columns}
      rows={query.data?.rows}
      rowKey={({ name }) => name}
      query={query}
      empty={{ title: t('versions.packages.none'), body: t('versions.packages.noneBody') }}
      onClearFilter={text === '' ? undefined : () => onText('')}
      paging={{ pages, nextCursor: query.data?.nextCursor }}
      header={
        <Header variant="h2" description={t('versions.packages.description')}>
          {t('versions.packages.title')}
        </Header>
      }
      filter={
        <TextFilter
          filteringText={text}
          filteringPlaceholder={t('versions.packages.find')}
          filteringAriaLabel={t('versions.packages.find')}
          onChange={({ detail }) => onText(detail.filteringText)}
        />
      }
    />
  );
  if (chosen === '') return list;
  const parts = [list, <PackageVersions key={chosen} name={chosen} />];
  return (
    <Grid gridDefinition={(isNarrow ? [12, 12] : [5, 7]).map((colspan) => ({ colspan }))}>
      {/* Scrolls to the details, which are below the list. */}
      {isNarrow ? parts.toReversed() : parts}
    </Grid>
  );
}

function useColumns(chosen: string, text: string): readonly TableColumn<PackageSummary>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    (): readonly TableColumn<PackageSummary>[] => [
      {
        id: 'name',
        header: t('versions.packages.name'),
        cell: ({ name }) =>
          name === chosen ? (
            <strong aria-current="true">{name}</strong>
          ) : (
            <PortalLink href={packageHref(name, text)}>{name}</PortalLink>
          ),
        rowHeader: true,
        always: true,
        width: 180,
      },
      {
        id: 'devices',
        header: t('versions.column.devices'),
        cell: ({ devices }) => format.number(devices),
        numeric: true,
        width: 95,
      },
      {
        id: 'versions',
        header: t('versions.column.versions'),
        cell: ({ versions }) => format.number(versions),
        numeric: true,
        width: 95,
      },
    ],
    [t, format, chosen, text],
  );
}

function packageHref(name: string, text: string): string {
  const search = new URLSearchParams({
    area: 'packages',
    ...(text === '' ? {} : { q: text }),
    package: name,
  });
  return `/tavs?${search.toString()}`;
}
