import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import type { UserRow } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { AuditEventTable } from '../../audit-trail/audit-event-table.tsx';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { ErasureStatus } from '../../people/erasure-status.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useBreadcrumbs, useRefresh } from '../../ui/page-slots.tsx';
import { PendingPage } from '../../ui/pending-page.tsx';
import { roleName } from '../roles/role-words.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { AccessGate } from '../access-gate.tsx';
import { AccountLockAlert } from './account-lock-alert.tsx';
import { effectivePermissions } from '../roles/effective-permissions.ts';
import { PermissionsTable } from '../roles/permissions-table.tsx';
import { SessionsTable } from './sessions-table.tsx';
import { UserActions } from './user-actions.tsx';
import { UserStatus } from './user-status.tsx';

export const Route = createLazyRoute('/uam/users/$id')({ component: UserPage });

const route = getRouteApi('/uam/users/$id');

function UserPage(): ReactNode {
  const { id } = route.useParams();
  return (
    <AccessGate>
      <User key={id} id={id} />
    </AccessGate>
  );
}

/** A user with status, roles, permissions with the roles that grant them, and recent activity. */
function User({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const { data: user, error, refetch } = useQuery(api.access.users.get.queryOptions({ id }));
  const roles = useQuery(api.access.roles.list.queryOptions());
  const abilities = useQuery(api.access.users.abilities.queryOptions()).data;
  const permissions = useMemo(
    () => (user && roles.data ? effectivePermissions(user.roles, roles.data) : undefined),
    [user, roles.data],
  );
  useBreadcrumbs([
    { text: t('app.nav.users'), href: '/uam/users' },
    { text: user?.username ?? id, href: `/uam/users/${id}` },
  ]);
  useRefresh(useCallback(() => void refetch(), [refetch]));
  if (user === undefined) {
    return error === null ? (
      <PendingPage />
    ) : (
      <ErrorView
        error={error}
        subject={{ kind: t('access.user.kind'), id }}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={user.username}
        documentTitle={`${user.username} · ${t('app.nav.users')}`}
        description={user.name}
        actions={<UserActions user={user} />}
      />
      <ErasureStatus person={{ kind: 'user', id: user.id }} />
      {user.lock === null ? null : <AccountLockAlert user={user} lock={user.lock} />}
      <Profile user={user} />
      <PermissionsTable
        title={t('access.user.effective')}
        permissions={permissions}
        query={roles}
        none={t('access.user.noRoles')}
        withRoles
      />
      {abilities?.keepsPeople === true ? <SessionsTable user={user} /> : null}
      {may('audit-trail:read') ? <LatestEvents userId={user.id} /> : null}
    </SpaceBetween>
  );
}

function Profile({ user }: { readonly user: UserRow }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const api = useApi();
  const passkeys = useQuery(api.access.users.countPasskeys.queryOptions({ id: user.id })).data;
  return (
    <Container header={<Header variant="h2">{t('access.user.profile')}</Header>}>
      <KeyValue
        columns={4}
        hasLongValues
        items={[
          { label: t('access.column.status'), value: <UserStatus user={user} /> },
          {
            label: t('access.column.roles'),
            value: user.roles.map((role) => roleName(role, t)).join(', '),
          },
          { label: t('access.column.groups'), value: user.groups.join(', ') },
          {
            label: t('access.column.lastSignIn'),
            value: <Time at={user.lastSignInAt} style="absolute" none={t('access.users.never')} />,
          },
          { label: t('access.column.email'), value: user.email },
          { label: t('access.column.phone'), value: user.phone },
          {
            label: t('access.column.created'),
            value: <Time at={user.createdAt} style="absolute" />,
          },
          {
            label: t('access.passkeys.label'),
            value: passkeys === 0 ? t('access.passkeys.none') : passkeys,
          },
          { label: t('access.invite.note'), value: user.note },
          ...(may('api-calls:read')
            ? [
                {
                  label: t('app.nav.apiCalls'),
                  value: (
                    <PortalLink href={`/api-calls?q=${encodeURIComponent(`user=${user.id}`)}`}>
                      {t('access.user.calls')}
                    </PortalLink>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Container>
  );
}

const SHOWN = 10;

function LatestEvents({ userId }: { readonly userId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.auditTrail.list.queryOptions({ filter: { actorId: userId }, pageSize: SHOWN }),
  );
  return (
    <AuditEventTable
      id="user-events"
      withoutSettings
      withoutActor
      events={query.data?.rows}
      empty={{ title: t('auditTrail.none'), body: t('access.user.noEvents') }}
      query={query}
      header={
        <Header
          variant="h2"
          actions={
            <PortalLink
              href={`/audit-trail/device?q=${encodeURIComponent(`actor=${userId}`)}&t=30d`}
            >
              {t('access.user.events')}
            </PortalLink>
          }
        >
          {t('access.user.lastEvents')}
        </Header>
      }
    />
  );
}
