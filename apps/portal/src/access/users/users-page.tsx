import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { userSorts, type UserSort } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { encodeFilter, type FilterQuery } from '../../ui/filter-codec.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useRefresh } from '../../ui/page-slots.tsx';
import { PropertyFilterBar } from '../../ui/property-filter-bar.tsx';
import { DataTable, useTablePageSize } from '../../ui/table/data-table.tsx';
import { useKeysetPages } from '../../ui/table/use-keyset-pages.ts';
import { AccessGate } from '../access-gate.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { useManageDisabledReason } from '../use-manage-disabled-reason.ts';
import { useUserProperties } from './use-user-properties.ts';
import { usersColumns } from './users-columns.tsx';
import { AWAY_DAYS, decodeUsersFilter } from './users-filter.ts';

export const Route = createLazyRoute('/uam/users')({ component: UsersPage });

const route = getRouteApi('/uam/users');

function UsersPage(): ReactNode {
  return (
    <AccessGate>
      <Users />
    </AccessGate>
  );
}

/** Users with their roles and the time of their last sign-in. */
function Users(): ReactNode {
  const t = useT();
  const format = useFormat();
  const { query, pages, decoded, sorting } = useUsers();
  const navigate = route.useNavigate();
  const columns = useMemo(() => usersColumns(t), [t]);
  const properties = useUserProperties();
  const change = (part: { q?: string; sort?: string }): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const onFilter = (changed: FilterQuery): void => change({ q: encodeFilter(changed) });
  const filtered = decoded.query.tokens.length > 0;
  const count = query.data?.count;
  return (
    <DataTable
      id="users"
      label={t('app.nav.users')}
      columns={columns}
      rows={query.data?.rows}
      rowKey={(user) => user.id}
      query={query}
      empty={{ title: t('access.users.none') }}
      onClearFilter={filtered ? () => change({ q: '' }) : undefined}
      sorting={sorting}
      onSort={({ sort, descending }) => change({ sort: descending ? `-${sort}` : sort })}
      paging={{ pages, nextCursor: query.data?.nextCursor, disabled: query.isPlaceholderData }}
      header={
        <PageHeader
          variant="awsui-h1-sticky"
          title={t('app.nav.users')}
          counter={count === undefined ? undefined : `(${format.number(count)})`}
          description={t('access.users.description')}
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Button onClick={() => change({ q: `away=${AWAY_DAYS}`, sort: 'lastSignIn' })}>
                {t('access.users.away', { days: AWAY_DAYS })}
              </Button>
              <InviteButton />
            </SpaceBetween>
          }
        />
      }
      filter={
        <PropertyFilterBar
          properties={properties}
          query={decoded.query}
          onChange={onFilter}
          placeholder={t('access.users.find')}
          {...(filtered && count !== undefined
            ? { countText: t('access.users.matches', { count }) }
            : {})}
        />
      }
    />
  );
}

function useUsers() {
  const api = useApi();
  const search = route.useSearch();
  const decoded = useMemo(() => decodeUsersFilter(search.q), [search.q]);
  const name = search.sort.replace(/^-/, '');
  const sorting = {
    sort: userSorts.find((each): each is UserSort => each === name) ?? ('username' as const),
    descending: search.sort.startsWith('-'),
  };
  const pageSize = useTablePageSize('users');
  const pages = useKeysetPages(JSON.stringify([decoded.filter, sorting, pageSize]));
  const query = useQuery(
    api.access.users.list.queryOptions(
      { filter: decoded.filter, ...sorting, pageSize, cursor: pages.cursor },
      { placeholderData: keepPreviousData },
    ),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  return { query, pages, decoded, sorting };
}

function InviteButton(): ReactNode {
  const t = useT();
  const api = useApi();
  const [inviting, setInviting] = useState(false);
  const reason = useManageDisabledReason();
  const abilities = useQuery(api.access.users.abilities.queryOptions()).data;
  const elsewhere = abilities?.keepsPeople === false ? t('access.invite.elsewhere') : undefined;
  const because = reason ?? elsewhere;
  return (
    <>
      <Button
        variant="primary"
        disabled={because !== undefined}
        {...(because === undefined ? {} : { disabledReason: because })}
        onClick={() => setInviting(true)}
      >
        {t('access.invite.button')}
      </Button>
      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </>
  );
}
