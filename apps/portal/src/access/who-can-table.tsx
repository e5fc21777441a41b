import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { AbleUser } from '@deviceportal/contract/access';
import { isPermission } from '@deviceportal/contract/permissions';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { GrantingRoles } from './roles/granting-roles.tsx';

/** Users with a permission, each with the roles that grant it and their scope. */
export function WhoCanTable({
  can,
  device,
}: {
  readonly can: string;
  readonly device: string;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  // A permission always contains a colon, a command name never does.
  const isPermissionName = can.includes(':') && isPermission(can);
  const query = useQuery(
    api.access.roles.whoCan.queryOptions({
      permission: isPermissionName ? can : null,
      command: isPermissionName ? null : can,
      device: device === '' ? null : device,
    }),
  );
  const columns = useMemo(
    (): readonly TableColumn<AbleUser>[] => [
      {
        id: 'username',
        header: t('access.column.username'),
        cell: (user) => <PortalLink href={`/uam/users/${user.id}`}>{user.username}</PortalLink>,
        rowHeader: true,
        always: true,
        width: 260,
      },
      { id: 'name', header: t('access.column.name'), cell: ({ name }) => name || '-', width: 200 },
      {
        id: 'roles',
        header: t('access.column.grantedBy'),
        cell: ({ roles }) => <GrantingRoles roles={roles} />,
        width: 360,
      },
    ],
    [t],
  );
  const users = query.data?.users;
  return (
    <DataTable
      id="who-can"
      label={t('access.whoCan.tab')}
      variant="embedded"
      withoutSettings
      columns={columns}
      rows={users}
      rowKey={({ id }) => id}
      query={query}
      empty={{ title: t('access.whoCan.nobody') }}
      header={
        <Header
          variant="h3"
          {...(users === undefined ? {} : { counter: `(${users.length})` })}
          {...(query.data === undefined
            ? {}
            : {
                description: t('access.whoCan.enough', {
                  list: format.list([...query.data.permissions]),
                }),
              })}
        >
          {t('access.whoCan.people')}
        </Header>
      }
    />
  );
}
