import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import TextFilter from '@cloudscape-design/components/text-filter';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import type { RoleRow } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { useFormat, type Formatters } from '../../i18n/format-values.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useRefresh } from '../../ui/page-slots.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { AccessGate } from '../access-gate.tsx';
import { NewRole } from './new-role.tsx';
import { highestRisk, permissionWords, scopeWords } from './permission-words.ts';
import { RiskBadge } from './risk-badge.tsx';
import { roleAbout, roleName } from './role-words.ts';
import { RolesMatrix } from './roles-matrix.tsx';
import { useManageDisabledReason } from '../use-manage-disabled-reason.ts';
import { WhoCanPanel } from '../who-can-panel.tsx';

export const Route = createLazyRoute('/uam/roles')({ component: RolesPage });

const route = getRouteApi('/uam/roles');

function RolesPage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const back = (): void =>
    void navigate({ search: (old) => ({ ...old, create: false, from: '' }) });
  return (
    <AccessGate>
      {search.create ? <NewRole key={search.from} from={search.from} onCancel={back} /> : <Roles />}
    </AccessGate>
  );
}

/** The tabs of roles: list, comparison, and the search for users with a permission. */
function Roles(): ReactNode {
  const t = useT();
  const { tab, can, device } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: { tab?: '' | 'matrix' | 'who-can'; can?: string; device?: string }): void =>
    void navigate({
      search: (old) => ({ ...old, ...part }),
      replace: true,
      resetScroll: false,
    });
  return (
    <SpaceBetween size="m">
      <PageHeader
        title={t('app.nav.roles')}
        description={t('access.roles.description')}
        actions={<CreateButton />}
      />
      <Tabs
        activeTabId={tab === '' ? 'roles' : tab}
        ariaLabel={t('app.nav.roles')}
        onChange={({ detail: { activeTabId } }) =>
          change({ tab: activeTabId === 'matrix' || activeTabId === 'who-can' ? activeTabId : '' })
        }
        tabs={[
          { id: 'roles', label: t('app.nav.roles'), content: <RolesTable /> },
          { id: 'matrix', label: t('access.matrix.title'), content: <RolesMatrix /> },
          {
            id: 'who-can',
            label: t('access.whoCan.tab'),
            content: <WhoCanPanel can={can} device={device} onChange={change} />,
          },
        ]}
      />
    </SpaceBetween>
  );
}

function CreateButton(): ReactNode {
  const t = useT();
  const reason = useManageDisabledReason();
  return (
    <Button
      variant="primary"
      disabled={reason !== undefined}
      {...(reason === undefined ? {} : { disabledReason: reason })}
      onClick={() => navigateTo('/uam/roles?create=true')}
    >
      {t('access.form.new')}
    </Button>
  );
}

function RolesTable(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(api.access.roles.list.queryOptions());
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const rows = useMemo(() => query.data?.filter((role) => matches(role, q, t)), [query.data, q, t]);
  const columns = useMemo(() => columnsOf(t, format), [t, format]);
  const setText = (text: string): void =>
    void navigate({ search: (old) => ({ ...old, q: text }), replace: true });
  return (
    <DataTable
      id="roles"
      label={t('app.nav.roles')}
      variant="container"
      wrapLines
      columns={columns}
      rows={rows}
      rowKey={(role) => role.id}
      query={query}
      empty={{ title: t('access.roles.none') }}
      onClearFilter={q === '' ? undefined : () => setText('')}
      header={
        <Header variant="h2" {...(rows === undefined ? {} : { counter: `(${rows.length})` })}>
          {t('app.nav.roles')}
        </Header>
      }
      filter={
        <TextFilter
          filteringText={q}
          filteringPlaceholder={t('access.roles.find')}
          filteringAriaLabel={t('access.roles.find')}
          onChange={({ detail }) => setText(detail.filteringText)}
        />
      }
    />
  );
}

function matches(role: RoleRow, text: string, t: Translate): boolean {
  const wanted = text.trim().toLowerCase();
  const words = [
    role.name,
    roleAbout(role, t),
    ...role.permissions,
    ...role.permissions.map((permission) => permissionWords(permission, t)),
  ];
  return wanted === '' || words.some((word) => word.toLowerCase().includes(wanted));
}

function columnsOf(t: Translate, format: Formatters): TableColumn<RoleRow>[] {
  return [
    {
      id: 'name',
      header: t('access.column.role'),
      cell: (role) => (
        <PortalLink href={`/uam/roles/${role.id}`}>{roleName(role.name, t)}</PortalLink>
      ),
      rowHeader: true,
      always: true,
      width: 160,
    },
    {
      id: 'about',
      header: t('access.column.about'),
      cell: (role) => roleAbout(role, t) || '-',
      width: 420,
    },
    {
      id: 'users',
      header: t('access.column.users'),
      cell: (role) => format.number(role.userCount),
      numeric: true,
      width: 100,
    },
    {
      id: 'permissions',
      header: t('access.column.permissions'),
      cell: (role) => format.number(role.permissions.length),
      numeric: true,
      width: 130,
    },
    {
      id: 'risk',
      header: t('access.column.risk'),
      cell: (role) => {
        const risk = highestRisk(role.permissions);
        return risk === null ? '-' : <RiskBadge risk={risk} />;
      },
      width: 130,
    },
    {
      id: 'scope',
      header: t('access.column.scope'),
      cell: (role) => scopeWords(role.scope, t, format),
      width: 200,
    },
    {
      id: 'kind',
      header: t('access.column.kind'),
      cell: (role) => t(role.builtin ? 'access.kind.builtin' : 'access.kind.own'),
      width: 110,
    },
    {
      id: 'updated',
      header: t('access.column.updated'),
      cell: (role) => <Time at={role.updatedAt} />,
      width: 140,
    },
  ];
}
