import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { RoleRow } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { useManageDisabledReason } from '../use-manage-disabled-reason.ts';

export interface RoleActionsProps {
  readonly role: RoleRow;
  readonly onEdit: () => void;
}

/** Edits, duplicates, or deletes a role. Disabled actions show the reason. */
export function RoleActions({ role, onEdit }: RoleActionsProps): ReactNode {
  const t = useT();
  const [deleting, setDeleting] = useState(false);
  const reason = useManageDisabledReason();
  const ownReason = reason ?? (role.builtin ? t('access.role.builtinStays') : undefined);
  const because = (words: string | undefined) =>
    words === undefined ? {} : { disabled: true, disabledReason: words };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button onClick={onEdit} {...because(ownReason)}>
        {t('access.role.edit')}
      </Button>
      <Button
        onClick={() => navigateTo(`/uam/roles?create=true&from=${role.id}`)}
        {...because(reason)}
      >
        {t('access.role.duplicate')}
      </Button>
      <Button onClick={() => setDeleting(true)} {...because(ownReason)}>
        {t('access.role.delete')}
      </Button>
      {deleting ? <DeleteDialog role={role} onCancel={() => setDeleting(false)} /> : null}
    </SpaceBetween>
  );
}

function DeleteDialog({
  role,
  onCancel,
}: {
  readonly role: RoleRow;
  readonly onCancel: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const flash = useFlash();
  const remove = useMutation(
    api.access.roles.delete.mutationOptions({
      onSuccess: () => {
        navigateTo('/uam/roles');
        void queryClient.invalidateQueries(api.access.roles.list.pathFilter());
        void queryClient.invalidateQueries(api.access.users.pathFilter());
        flash.add({ type: 'success', content: t('access.role.deleted', { name: role.name }) });
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('access.role.deleteTitle', { name: role.name })}
      confirmLabel={t('access.role.delete')}
      busy={remove.isPending}
      {...(role.userCount === 0 ? {} : { typed: role.name })}
      error={remove.isError ? <ErrorView error={remove.error} place="alert" /> : null}
      onConfirm={() => remove.mutate({ id: role.id })}
      onCancel={onCancel}
    >
      {t('access.role.deleteBody', { users: role.userCount })}
    </ConfirmDialog>
  );
}
