import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { API_TOKEN_WARN_DAYS, type ApiTokenRow } from '@deviceportal/contract/api-tokens';
import { permissionWords, scopeWords } from '../access/roles/permission-words.ts';
import { roleName } from '../access/roles/role-words.ts';
import type { Formatters } from '../i18n/format-values.ts';
import type { Translate } from '../i18n/use-t.ts';
import { RowMenu } from '../identity-provider/row-menu.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useServerNow } from '../ui/time/server-clock.ts';
import { Time } from '../ui/time/time.tsx';

const DAY_MS = 86_400_000;

export interface TokenColumnsProps {
  readonly t: Translate;
  readonly format: Formatters;
  /** The reason for which the viewer cannot revoke tokens. */
  readonly reason?: string | undefined;
  readonly onRevoke: (token: ApiTokenRow) => void;
}

/** Columns of the viewer’s own tokens. */
export function tokenColumns(words: TokenColumnsProps): TableColumn<ApiTokenRow>[] {
  const { t, format, reason, onRevoke } = words;
  return [
    {
      id: 'name',
      header: t('apiTokens.name'),
      cell: ({ name }) => name,
      rowHeader: true,
      always: true,
      minWidth: 150,
    },
    {
      id: 'state',
      header: t('apiTokens.state'),
      cell: (token) => <TokenState token={token} t={t} format={format} />,
      minWidth: 200,
    },
    {
      id: 'access',
      header: t('apiTokens.access'),
      cell: (token) => accessWords(token, words),
      minWidth: 240,
    },
    {
      id: 'lastUsed',
      header: t('apiTokens.lastUsed'),
      cell: ({ lastUsedAt, lastUsedAddress }) =>
        lastUsedAt === null ? (
          t('apiTokens.never')
        ) : (
          <>
            <Time at={lastUsedAt} /> <span className="dp-id">{lastUsedAddress ?? ''}</span>
          </>
        ),
      minWidth: 170,
    },
    {
      id: 'acts',
      header: t('apiTokens.acts'),
      cell: (token) =>
        token.state === 'active' ? (
          <RowMenu
            label={t('apiTokens.actsOf', { name: token.name })}
            acts={[
              {
                id: 'revoke',
                text: t('apiTokens.revoke'),
                reason,
                onAct: () => onRevoke(token),
              },
            ]}
          />
        ) : (
          '-'
        ),
      minWidth: 90,
    },
  ];
}

/** Columns of the tokens of all users and services. */
export function allTokenColumns(words: TokenColumnsProps): TableColumn<ApiTokenRow>[] {
  const { t } = words;
  const [name, ...others] = tokenColumns(words);
  return [
    ...(name === undefined ? [] : [name]),
    {
      id: 'owner',
      header: t('apiTokens.owner'),
      cell: ({ kind, owner, createdBy }) =>
        kind === 'service'
          ? t('apiTokens.serviceOf', { user: createdBy ?? '-' })
          : (owner?.username ?? '-'),
      minWidth: 180,
    },
    ...others,
  ];
}

function accessWords(token: ApiTokenRow, { t, format }: TokenColumnsProps): ReactNode {
  if (token.kind === 'service') {
    const names = token.roles.map(({ name }) => roleName(name, t));
    return names.length === 0 ? t('apiTokens.noRoles') : format.list(names);
  }
  const permissions = token.permissions.map((permission) => permissionWords(permission, t));
  return (
    <>
      <div>{format.list(permissions)}</div>
      <div>{scopeWords(token.scope, t, format)}</div>
    </>
  );
}

function TokenState({
  token: { state, expiresAt, endedAt },
  t,
  format,
}: {
  readonly token: ApiTokenRow;
  readonly t: Translate;
  readonly format: Formatters;
}): ReactNode {
  const now = useServerNow();
  const date = format.absolute(Date.parse(state === 'active' ? expiresAt : (endedAt ?? expiresAt)));
  if (state !== 'active') {
    return (
      <StatusIndicator type="stopped">{t(`apiTokens.state.${state}`, { date })}</StatusIndicator>
    );
  }
  const isEnding = Date.parse(expiresAt) - now < API_TOKEN_WARN_DAYS * DAY_MS;
  return (
    <StatusIndicator type={isEnding ? 'warning' : 'success'}>
      {t('apiTokens.validUntil', { date })}
    </StatusIndicator>
  );
}
