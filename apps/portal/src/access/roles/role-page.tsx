import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import type { RoleRow } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useBreadcrumbs, useRefresh } from '../../ui/page-slots.tsx';
import { PendingPage } from '../../ui/pending-page.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { AccessGate } from '../access-gate.tsx';
import { EditRole } from './edit-role.tsx';
import { effectivePermissions } from './effective-permissions.ts';
import { GrantPreview } from './grant-preview.tsx';
import { highestRisk, scopeWords } from './permission-words.ts';
import { PermissionsTable } from './permissions-table.tsx';
import { RiskBadge } from './risk-badge.tsx';
import { RoleActions } from './role-actions.tsx';
import { roleAbout, roleName } from './role-words.ts';
import { UsersTable } from '../users/users-table.tsx';

export const Route = createLazyRoute('/uam/roles/$id')({ component: RolePage });

const route = getRouteApi('/uam/roles/$id');

function RolePage(): ReactNode {
  const { id } = route.useParams();
  return (
    <AccessGate>
      <Role key={id} id={id} />
    </AccessGate>
  );
}

/** A role with its permissions, scope, and users. */
function Role({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.access.roles.get.queryOptions({ id }));
  const { data: role, error, refetch } = query;
  const { may } = useViewer();
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const setEdit = (isOpen: boolean): void => void navigate({ search: { edit: isOpen } });
  useBreadcrumbs([
    { text: t('app.nav.roles'), href: '/uam/roles' },
    { text: role === undefined ? id : roleName(role.name, t), href: `/uam/roles/${id}` },
  ]);
  useRefresh(useCallback(() => void refetch(), [refetch]));
  if (role === undefined) {
    return error === null ? (
      <PendingPage />
    ) : (
      <ErrorView
        error={error}
        subject={{ kind: t('access.role.kind'), id }}
        onRetry={() => void refetch()}
      />
    );
  }
  if (edit && !role.builtin && may('access:manage')) {
    return <EditRole role={role} onDone={() => setEdit(false)} />;
  }
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={roleName(role.name, t)}
        documentTitle={`${roleName(role.name, t)} · ${t('app.nav.roles')}`}
        description={roleAbout(role, t)}
        actions={<RoleActions role={role} onEdit={() => setEdit(true)} />}
      />
      <RoleFacts role={role} />
      <PermissionsTable
        title={t('access.role.permissions')}
        permissions={effectivePermissions([role.name], [role])}
        query={query}
        none={t('access.role.noPermissions')}
      />
      <GrantPreview grant={role} />
      <Holders role={role} />
    </SpaceBetween>
  );
}

function RoleFacts({ role }: { readonly role: RoleRow }): ReactNode {
  const t = useT();
  const format = useFormat();
  const risk = highestRisk(role.permissions);
  return (
    <Container>
      <KeyValue
        columns={4}
        items={[
          { label: t('access.column.scope'), value: scopeWords(role.scope, t, format) },
          {
            label: t('access.column.risk'),
            value: risk === null ? null : <RiskBadge risk={risk} />,
          },
          { label: t('access.column.users'), value: format.number(role.userCount) },
          {
            label: t('access.column.kind'),
            value: t(role.builtin ? 'access.kind.builtin' : 'access.kind.own'),
          },
        ]}
      />
    </Container>
  );
}

const SHOWN = 100;

function Holders({ role }: { readonly role: RoleRow }): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.access.users.list.queryOptions({ filter: { roles: [role.name] }, pageSize: SHOWN }),
  );
  return (
    <UsersTable
      id="role-holders"
      title={t('access.role.holders')}
      users={query.data?.rows}
      count={query.data?.count}
      query={query}
      none={t('access.role.noHolders')}
      action={
        <PortalLink href={`/uam/users?q=${encodeURIComponent(`role=${role.name}`)}`}>
          {t('access.role.allHolders')}
        </PortalLink>
      }
    />
  );
}
