import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import type { UserRow } from '@deviceportal/contract/access';
import { userStatus } from '@deviceportal/contract/states';
import { useApi } from '../api/use-api.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { decodeFilter, encodeFilter, type FilterQuery } from '../shell/filter-codec.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useRefresh } from '../shell/page-slots.tsx';
import { PropertyFilterBar, type FilterProperty } from '../shell/property-filter-bar.tsx';
import { wordOf } from '../shell/status-of.tsx';
import { DataTable } from '../shell/table/data-table.tsx';
import { AccessGate } from './access-gate.tsx';
import { filterUsers, sortUsers } from './filter-users.ts';
import { usersColumns } from './users-columns.tsx';

export const Route = createLazyRoute('/uam/users')({ component: UsersPage });

const route = getRouteApi('/uam/users');

function UsersPage(): ReactNode {
  return (
    <AccessGate>
      <Users />
    </AccessGate>
  );
}

/** Who has access, with which roles, and since when they were not here. */
function Users(): ReactNode {
  const t = useT();
  const api = useApi();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(api.access.users.list.queryOptions());
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const filter = useMemo(() => decodeFilter(search.q, search.op), [search.q, search.op]);
  const sorting = {
    sort: search.sort.endsWith('lastSignIn') ? ('lastSignIn' as const) : ('username' as const),
    descending: search.sort.startsWith('-'),
  };
  const rows =
    query.data && sortUsers(filterUsers(query.data, filter), sorting.sort, sorting.descending);
  const columns = useMemo(() => usersColumns(t), [t]);
  const properties = useUserProperties(query.data);
  const change = (part: { q?: string; op?: 'and' | 'or'; sort?: string }): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const onFilter = (changed: FilterQuery): void =>
    change({ q: encodeFilter(changed), op: changed.operation });
  const filtered = filter.tokens.length > 0;
  return (
    <DataTable
      id="users"
      label={t('shell.nav.users')}
      columns={columns}
      rows={rows}
      rowKey={(user) => user.id}
      query={query}
      empty={{ title: t('access.users.none') }}
      onClearFilter={filtered ? () => change({ q: '', op: 'and' }) : undefined}
      sorting={sorting}
      onSort={({ sort, descending }) => change({ sort: descending ? `-${sort}` : sort })}
      header={
        <PageHeader
          variant="awsui-h1-sticky"
          title={t('shell.nav.users')}
          counter={rows === undefined ? undefined : `(${rows.length})`}
          description={t('access.users.description')}
        />
      }
      filter={
        <PropertyFilterBar
          properties={properties}
          query={filter}
          onChange={onFilter}
          placeholder={t('access.users.find')}
          {...(filtered && rows !== undefined
            ? { countText: t('access.users.matches', { count: rows.length }) }
            : {})}
        />
      }
    />
  );
}

function useUserProperties(users: readonly UserRow[] | undefined): readonly FilterProperty[] {
  const t = useT();
  const language = useLanguage();
  return useMemo(() => {
    const distinct = (values: readonly string[]) =>
      [...new Set(values)].toSorted().map((value) => ({ value, label: value }));
    const property = (
      key: string,
      label: string,
      values: FilterProperty['values'],
    ): FilterProperty => ({
      key,
      label,
      groupLabel: t('access.users.values', { property: label }),
      operators: ['=', '!='],
      ...(values === undefined ? {} : { values }),
    });
    return [
      property(
        'status',
        t('access.column.status'),
        Object.keys(userStatus).map((value) => ({ value, label: wordOf('user', value, language) })),
      ),
      property(
        'role',
        t('access.column.roles'),
        distinct(users?.flatMap(({ roles }) => roles) ?? []),
      ),
      property(
        'group',
        t('access.column.groups'),
        distinct(users?.flatMap(({ groups }) => groups) ?? []),
      ),
    ];
  }, [users, t, language]);
}
