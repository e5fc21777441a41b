import type { UserRow } from '@deviceportal/contract/access';
import type { Translate } from '../../i18n/use-t.ts';
import { roleName } from '../roles/role-words.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { UserStatus } from './user-status.tsx';

export function usersColumns(t: Translate): TableColumn<UserRow>[] {
  return [
    {
      id: 'username',
      header: t('access.column.username'),
      cell: (user) => <PortalLink href={`/uam/users/${user.id}`}>{user.username}</PortalLink>,
      sort: 'username',
      rowHeader: true,
      always: true,
      width: 220,
    },
    {
      id: 'status',
      header: t('access.column.status'),
      cell: (user) => <UserStatus user={user} />,
      width: 140,
    },
    { id: 'name', header: t('access.column.name'), cell: (user) => user.name || '-', width: 180 },
    {
      id: 'roles',
      header: t('access.column.roles'),
      cell: (user) => user.roles.map((role) => roleName(role, t)).join(', ') || '-',
      width: 180,
    },
    {
      id: 'groups',
      header: t('access.column.groups'),
      cell: (user) => user.groups.join(', ') || '-',
      width: 200,
    },
    {
      id: 'lastSignIn',
      header: t('access.column.lastSignIn'),
      cell: (user) => <Time at={user.lastSignInAt} none={t('access.users.never')} />,
      sort: 'lastSignIn',
      width: 160,
    },
    {
      id: 'email',
      header: t('access.column.email'),
      cell: (user) => user.email ?? '-',
      optional: true,
      width: 220,
    },
    {
      id: 'phone',
      header: t('access.column.phone'),
      cell: (user) => user.phone ?? '-',
      optional: true,
      width: 160,
    },
    {
      id: 'created',
      header: t('access.column.created'),
      cell: (user) => <Time at={user.createdAt} />,
      sort: 'created',
      optional: true,
      width: 160,
    },
  ];
}
