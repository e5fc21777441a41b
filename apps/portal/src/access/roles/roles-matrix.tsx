import Header from '@cloudscape-design/components/header';
import Icon from '@cloudscape-design/components/icon';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { RoleRow } from '@deviceportal/contract/access';
import type { Permission } from '@deviceportal/contract/permissions';
import { useApi } from '../../api/use-api.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { areaOf, permissionWords, riskOf, sortPermissions } from './permission-words.ts';
import { RiskBadge } from './risk-badge.tsx';
import { roleName } from './role-words.ts';

/** Compares the permissions of all roles. */
export function RolesMatrix(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.access.roles.list.queryOptions());
  const roles = query.data;
  const columns = useMemo(() => columnsOf(roles ?? [], t), [roles, t]);
  const rows = useMemo(
    () => roles && sortPermissions([...new Set(roles.flatMap((role) => role.permissions))]),
    [roles],
  );
  return (
    <DataTable<Permission>
      id="roles-matrix"
      label={t('access.matrix.title')}
      variant="container"
      withoutSettings
      wrapLines
      columns={columns}
      rows={rows}
      rowKey={(permission) => permission}
      query={query}
      empty={{ title: t('access.role.noPermissions') }}
      header={
        <Header variant="h2" description={t('access.matrix.description')}>
          {t('access.matrix.title')}
        </Header>
      }
    />
  );
}

function columnsOf(roles: readonly RoleRow[], t: Translate): TableColumn<Permission>[] {
  return [
    {
      id: 'meaning',
      header: t('access.column.meaning'),
      cell: (permission) => (
        <>
          {t(`access.area.${areaOf(permission)}`)} · {permissionWords(permission, t)}
        </>
      ),
      rowHeader: true,
      always: true,
      width: 380,
    },
    {
      id: 'risk',
      header: t('access.column.riskOne'),
      cell: (permission) => <RiskBadge risk={riskOf(permission)} />,
      width: 130,
      minWidth: 130,
    },
    ...roles.map((role): TableColumn<Permission> => ({
      id: role.id,
      header: roleName(role.name, t),
      cell: (permission) =>
        role.permissions.includes(permission) ? (
          <Icon name="status-positive" variant="success" ariaLabel={t('access.matrix.may')} />
        ) : (
          <span aria-label={t('access.matrix.mayNot')} role="img">
            –
          </span>
        ),
      width: 130,
    })),
    {
      id: 'who',
      header: t('access.whoCan.tab'),
      cell: (permission) => (
        <PortalLink href={`/uam/roles?tab=who-can&can=${encodeURIComponent(permission)}`}>
          {t('access.matrix.who')}
        </PortalLink>
      ),
      width: 140,
    },
  ];
}
