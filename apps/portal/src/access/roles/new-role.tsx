import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useFlash } from '../../ui/flash-store.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useBreadcrumbs } from '../../ui/page-slots.tsx';
import { PendingPage } from '../../ui/pending-page.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { draftOf, emptyRole, roleOf } from './role-draft.ts';
import { RoleForm } from './role-form.tsx';
import { roleName } from './role-words.ts';

export interface NewRoleProps {
  /** The role to copy. Empty for an empty role. */
  readonly from: string;
  readonly onCancel: () => void;
}

/** Creates a custom role, empty or as a copy of another one. */
export function NewRole({ from, onCancel }: NewRoleProps): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const flash = useFlash();
  const { may } = useViewer();
  const roles = useQuery(api.access.roles.list.queryOptions());
  useBreadcrumbs([
    { text: t('app.nav.roles'), href: '/uam/roles' },
    { text: t('access.form.new'), href: '/uam/roles?create=true' },
  ]);
  const create = useMutation(
    api.access.roles.create.mutationOptions({
      onSuccess: (role) => {
        void queryClient.invalidateQueries(api.access.pathFilter());
        flash.add({ type: 'success', content: t('access.form.created', { name: role.name }) });
        navigateTo(`/uam/roles/${role.id}`);
      },
    }),
  );
  if (!may('access:manage')) {
    return <NoAccess area={t('access.form.new')} permission="access:manage" />;
  }
  if (from !== '' && roles.isPending) return <PendingPage />;
  const copied = roles.data?.find(({ id }) => id === from);
  const start =
    copied === undefined
      ? emptyRole
      : draftOf(copied, { name: t('access.form.copyOf', { name: roleName(copied.name, t) }) });
  return (
    <RoleForm
      header={
        <PageHeader title={t('access.form.new')} description={t('access.roles.description')} />
      }
      start={start}
      submitLabel={t('access.form.create')}
      busy={create.isPending}
      error={create.error}
      onSubmit={(draft) => create.mutate(roleOf(draft))}
      onCancel={onCancel}
    />
  );
}
