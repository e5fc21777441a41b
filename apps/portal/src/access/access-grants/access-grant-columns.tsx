import Box from '@cloudscape-design/components/box';
import type { AccessGrantRow } from '@deviceportal/contract/access-grants';
import type { Formatters } from '../../i18n/format-values.ts';
import type { Translate } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { AccessGrantActions } from './access-grant-actions.tsx';
import { highestRisk, scopeWords } from '../roles/permission-words.ts';
import { RiskBadge } from '../roles/risk-badge.tsx';
import { roleName } from '../roles/role-words.ts';

export function accessGrantColumns(
  t: Translate,
  format: Formatters,
  readsAccess: boolean,
): TableColumn<AccessGrantRow>[] {
  return [...grantColumns(t, format, readsAccess), ...requestColumns(t), ...decisionColumns(t)];
}

/** Columns with the user, role, and scope of an access grant. */
const grantColumns = (
  t: Translate,
  format: Formatters,
  readsAccess: boolean,
): TableColumn<AccessGrantRow>[] => [
  {
    id: 'user',
    header: t('access.accessGrant.who'),
    cell: ({ userId, username }) =>
      readsAccess ? <PortalLink href={`/uam/users/${userId}`}>{username}</PortalLink> : username,
    rowHeader: true,
    always: true,
    width: 210,
  },
  {
    id: 'role',
    header: t('access.column.role'),
    cell: ({ roleId, roleName: name, permissions }) => {
      const risk = highestRisk(permissions);
      return (
        <>
          {readsAccess ? (
            <PortalLink href={`/uam/roles/${roleId}`}>{roleName(name, t)}</PortalLink>
          ) : (
            roleName(name, t)
          )}{' '}
          {risk === null ? null : <RiskBadge risk={risk} />}
        </>
      );
    },
    width: 150,
  },
  {
    id: 'scope',
    header: t('access.column.scope'),
    cell: ({ scope }) => scopeWords(scope, t, format),
    width: 120,
  },
];

const requestColumns = (t: Translate): TableColumn<AccessGrantRow>[] => [
  {
    id: 'reason',
    header: t('access.accessGrant.reason'),
    cell: ({ reason, caseId, note }) => (
      <>
        {reason}
        {caseId === null ? null : (
          <>
            {' '}
            <PortalLink href={`/cases/${caseId}`}>{t('access.accessGrant.case')}</PortalLink>
          </>
        )}
        {note === '' ? null : <Box color="text-body-secondary">{note}</Box>}
      </>
    ),
    width: 200,
  },
  {
    id: 'state',
    header: t('access.column.status'),
    cell: (row) => <StatusOf kind="accessGrant" value={row.state} detail={endOf(row, t)} />,
    width: 150,
  },
  {
    id: 'actions',
    header: t('access.accessGrant.actions'),
    cell: (row) => <AccessGrantActions row={row} />,
    always: true,
    width: 230,
  },
];

const decisionColumns = (t: Translate): TableColumn<AccessGrantRow>[] => [
  {
    id: 'time',
    header: t('access.accessGrant.time'),
    cell: ({ minutes, endsAt, endedAt }) =>
      endsAt === null ? (
        t('access.accessGrant.minutes', { count: minutes })
      ) : (
        <Time at={endedAt ?? endsAt} style="absolute" />
      ),
    width: 210,
  },
  {
    id: 'asked',
    header: t('access.accessGrant.asked'),
    cell: ({ askedAt }) => <Time at={askedAt} />,
    width: 130,
  },
  {
    id: 'by',
    header: t('access.accessGrant.by'),
    cell: ({ decidedBy }) => decidedBy ?? '-',
    width: 180,
  },
];

function endOf({ endReason, state }: AccessGrantRow, t: Translate): string | undefined {
  if (state !== 'ended' || endReason === null || endReason === 'time') return undefined;
  return `(${t(`access.accessGrant.end.${endReason}`)})`;
}
