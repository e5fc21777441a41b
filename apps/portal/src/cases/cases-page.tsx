import Button from '@cloudscape-design/components/button';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useRefresh } from '../ui/page-slots.tsx';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { askAboutCase } from './case-dialog-store.ts';
import { CasesFilter } from './cases-filter.tsx';
import { casesQuery, sortOf } from './cases-query.ts';
import { casesDefaults } from './cases-search.ts';
import { useCaseColumns } from './use-case-columns.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

export const Route = createLazyRoute('/cases')({ component: CasesPage });

const route = getRouteApi('/cases');

function CasesPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  if (!may('cases:read') && !may('cases:manage'))
    return <NoAccess area={t('app.nav.cases')} permission="cases:read" />;
  return <CasesList />;
}

function CasesList(): ReactNode {
  const t = useT();
  const api = useApi();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const pageSize = useTablePageSize('cases');
  const pages = useKeysetPages(JSON.stringify([search, pageSize]));
  const query = useQuery(
    api.cases.list.queryOptions(
      { ...casesQuery(search), pageSize, cursor: pages.cursor },
      { placeholderData: keepPreviousData, refetchInterval: refreshMs.list },
    ),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const change = (part: Partial<typeof search>): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const { sort: _sort, ...filters } = search;
  const { sort: _defaultSort, ...noFilters } = casesDefaults;
  const isFiltered = JSON.stringify(filters) !== JSON.stringify(noFilters);
  return (
    <DataTable
      id="cases"
      label={t('app.nav.cases')}
      columns={useCaseColumns()}
      rows={query.data?.rows}
      rowKey={(row) => row.id}
      query={query}
      header={
        <PageHeader
          variant="awsui-h1-sticky"
          title={t('app.nav.cases')}
          description={t('cases.description')}
          actions={<OpenButton />}
        />
      }
      filter={<CasesFilter search={search} onChange={change} />}
      empty={{ title: t('cases.none'), body: t('cases.noneBody') }}
      onClearFilter={isFiltered ? () => change({ ...noFilters, show: 'all' }) : undefined}
      sorting={sortOf(search.sort)}
      onSort={({ sort, descending }) =>
        change({ sort: `${descending ? '-' : ''}${sort}` as typeof search.sort })
      }
      paging={{ pages, nextCursor: query.data?.nextCursor }}
    />
  );
}

function OpenButton(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  return (
    <Button
      variant="primary"
      disabled={!may('cases:manage')}
      disabledReason={t('app.needsPermission', { permission: 'cases:manage' })}
      onClick={() => askAboutCase({ kind: 'open', person: null })}
    >
      {t('cases.open.action')}
    </Button>
  );
}
