import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { RoleRow } from '@deviceportal/contract/access';
import type { ScimConnectionRow } from '@deviceportal/contract/scim';
import type { Formatters } from '../../i18n/format-values.ts';
import type { Translate } from '../../i18n/use-t.ts';
import { RowMenu } from '../../identity-provider/row-menu.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { useServerNow } from '../../ui/time/server-clock.ts';
import { roleName } from '../roles/role-words.ts';

const DAY_MS = 86_400_000;
/** From then on, the screen warns that the token ends. */
const WARN_DAYS = 30;

const acts = ['edit', 'rotate', 'revoke'] as const;

export interface ConnectionColumnsProps {
  readonly t: Translate;
  readonly format: Formatters;
  readonly roles: readonly RoleRow[];
  /** The reason for which the viewer cannot change connections. */
  readonly reason: string | undefined;
  readonly onAct: (act: (typeof acts)[number], connection: ScimConnectionRow) => void;
}

export function connectionColumns({
  t,
  format,
  roles,
  reason,
  onAct,
}: ConnectionColumnsProps): TableColumn<ScimConnectionRow>[] {
  return [
    {
      id: 'name',
      header: t('access.directory.name'),
      cell: ({ name }) => name,
      rowHeader: true,
      always: true,
      minWidth: 150,
    },
    {
      id: 'state',
      header: t('access.directory.state'),
      cell: (connection) => <TokenState connection={connection} t={t} format={format} />,
      minWidth: 210,
    },
    {
      id: 'lastRequest',
      header: t('access.directory.lastRequest'),
      cell: ({ lastRequestAt }) => (lastRequestAt === null ? '-' : <Time at={lastRequestAt} />),
      minWidth: 140,
    },
    {
      id: 'lastChange',
      header: t('access.directory.lastChange'),
      cell: ({ lastChangeAt }) => (lastChangeAt === null ? '-' : <Time at={lastChangeAt} />),
      minWidth: 140,
    },
    {
      id: 'lastError',
      header: t('access.directory.lastError'),
      cell: ({ lastError, lastErrorAt }) =>
        lastError === null || lastErrorAt === null ? (
          '-'
        ) : (
          <>
            <code>{lastError}</code> <Time at={lastErrorAt} />
          </>
        ),
      minWidth: 210,
    },
    {
      id: 'roles',
      header: t('access.directory.roles'),
      cell: ({ roleIds }) => {
        const names = roles
          .filter(({ id }) => roleIds.includes(id))
          .map(({ name }) => roleName(name, t));
        return names.length === 0 ? t('access.directory.noRoles') : format.list(names);
      },
      minWidth: 160,
    },
    {
      id: 'acts',
      header: t('access.directory.acts'),
      cell: (connection) => (
        <RowMenu
          label={t('access.directory.actsOf', { name: connection.name })}
          acts={acts.map((id) => ({
            id,
            text: t(`access.directory.act.${id}`),
            reason,
            onAct: () => onAct(id, connection),
          }))}
        />
      ),
      minWidth: 90,
    },
  ];
}

function TokenState({
  connection: { expiresAt, previousEndsAt },
  t,
  format,
}: {
  readonly connection: ScimConnectionRow;
  readonly t: Translate;
  readonly format: Formatters;
}): ReactNode {
  const now = useServerNow();
  const ends = Date.parse(expiresAt);
  const date = format.absolute(ends);
  if (ends <= now) {
    return (
      <StatusIndicator type="error">{t('access.directory.expired', { date })}</StatusIndicator>
    );
  }
  const previous = previousEndsAt === null ? 0 : Date.parse(previousEndsAt);
  return (
    <>
      <StatusIndicator type={ends - now < WARN_DAYS * DAY_MS ? 'warning' : 'success'}>
        {t('access.directory.validUntil', { date })}
      </StatusIndicator>
      {previous > now ? (
        <div>{t('access.directory.previousUntil', { date: format.absolute(previous) })}</div>
      ) : null}
    </>
  );
}
