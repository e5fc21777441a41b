import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { DataTable, type TableQuery } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import type { EffectivePermission } from './effective-permissions.ts';
import { GrantingRoles } from './granting-roles.tsx';
import { areaOf, permissionWords, riskOf } from './permission-words.ts';
import { RiskBadge } from './risk-badge.tsx';

export interface PermissionsTableProps {
  readonly title: string;
  readonly permissions: readonly EffectivePermission[] | undefined;
  readonly query: TableQuery;
  readonly none: string;
  /** Adds a column with the roles that grant each permission, and their scope. */
  readonly withRoles?: boolean;
}

/** Permissions by area, as text. */
export function PermissionsTable(props: PermissionsTableProps): ReactNode {
  const { title, permissions, query, none, withRoles = false } = props;
  const t = useT();
  const columns = useMemo((): readonly TableColumn<EffectivePermission>[] => {
    const grantedBy: TableColumn<EffectivePermission> = {
      id: 'grantedBy',
      header: t('access.column.grantedBy'),
      cell: ({ roles }) => <GrantingRoles roles={roles} />,
      width: 220,
      minWidth: 170,
    };
    return [
      {
        id: 'area',
        header: t('access.column.area'),
        cell: ({ permission }) => t(`access.area.${areaOf(permission)}`),
        width: 130,
        minWidth: 110,
      },
      {
        id: 'meaning',
        header: t('access.column.meaning'),
        cell: ({ permission }) => permissionWords(permission, t),
        rowHeader: true,
        width: 300,
        minWidth: 190,
      },
      {
        id: 'risk',
        header: t('access.column.riskOne'),
        cell: ({ permission }) => <RiskBadge risk={riskOf(permission)} />,
        width: 120,
      },
      ...(withRoles ? [grantedBy] : []),
      {
        id: 'permission',
        header: t('access.column.permission'),
        cell: ({ permission }) => <span className="dp-id">{permission}</span>,
        width: 240,
        minWidth: 235,
      },
    ];
  }, [t, withRoles]);
  const counter = permissions === undefined ? {} : { counter: `(${permissions.length})` };
  return (
    <DataTable
      id="access-permissions"
      label={title}
      variant="container"
      withoutSettings
      wrapLines
      columns={columns}
      rows={permissions}
      rowKey={({ permission }) => permission}
      query={query}
      empty={{ title: none }}
      header={
        <Header variant="h2" {...counter}>
          {title}
        </Header>
      }
    />
  );
}
