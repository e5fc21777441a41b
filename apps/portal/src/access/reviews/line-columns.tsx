import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { ReviewLineRow } from '@deviceportal/contract/access-reviews';
import type { Formatters } from '../../i18n/format-values.ts';
import type { Translate } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { scopeWords } from '../roles/permission-words.ts';
import { roleName } from '../roles/role-words.ts';

export function lineColumns(t: Translate, format: Formatters): TableColumn<ReviewLineRow>[] {
  return [
    {
      id: 'user',
      header: t('access.review.user'),
      cell: ({ userId, username, apiTokenName }) => (
        <>
          <PortalLink href={`/uam/users/${userId}`}>{username}</PortalLink>
          {apiTokenName === null ? null : (
            <div>{t('access.review.tokenOf', { name: apiTokenName })}</div>
          )}
        </>
      ),
      rowHeader: true,
      always: true,
      width: 235,
    },
    {
      id: 'role',
      header: t('access.review.role'),
      cell: ({ roleId, roleName: name, kind, until }) => (
        <>
          <PortalLink href={`/uam/roles/${roleId}`}>{roleName(name, t)}</PortalLink>
          {kind === 'role' ? null : (
            <div>
              {kind === 'group'
                ? t('access.review.kind.group')
                : t(`access.review.kind.${kind}`, {
                    date: until === null ? '-' : format.absolute(Date.parse(until)),
                  })}
            </div>
          )}
        </>
      ),
      width: 140,
    },
    {
      id: 'scope',
      header: t('access.review.scope'),
      cell: ({ scope }) => scopeWords(scope, t, format),
      width: 115,
    },
    {
      id: 'permissions',
      header: t('access.review.permissions'),
      cell: ({ permissions }) => permissions,
      numeric: true,
      width: 130,
    },
    {
      id: 'lastUsed',
      header: t('access.review.lastUsed'),
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? t('access.review.neverUsed') : <Time at={lastUsedAt} />,
      width: 115,
    },
    {
      id: 'lastSignIn',
      header: t('access.review.lastSignIn'),
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? t('access.review.neverSignedIn') : <Time at={lastSignInAt} />,
      width: 122,
    },
    {
      id: 'decision',
      header: t('access.review.decision'),
      cell: (line) => <Decision line={line} t={t} />,
      width: 200,
    },
  ];
}

function Decision({
  line: { decision, outcome, reason, decidedBy, obstacle },
  t,
}: {
  readonly line: ReviewLineRow;
  readonly t: Translate;
}): ReactNode {
  if (decision === null || outcome === null) {
    return (
      <>
        <StatusIndicator type="pending">{t('access.review.noDecision')}</StatusIndicator>
        {obstacle === 'own' ? <div>{t('access.review.obstacle.own')}</div> : null}
      </>
    );
  }
  const who = decidedBy ?? t('access.review.atDueDate');
  return (
    <>
      <StatusIndicator type={outcome === 'kept' ? 'success' : 'stopped'}>
        {t(`access.review.outcome.${outcome}`)}
      </StatusIndicator>
      <div>{reason === '' ? who : t('access.review.whoAndWhy', { who, reason })}</div>
    </>
  );
}
