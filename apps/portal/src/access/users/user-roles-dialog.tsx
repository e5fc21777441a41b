import FormField from '@cloudscape-design/components/form-field';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { UserRow } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { FormDialog } from '../../devices/form-dialog.tsx';
import { useT } from '../../i18n/use-t.ts';
import { useFlash } from '../../ui/flash-store.ts';
import { effectivePermissions } from '../roles/effective-permissions.ts';
import { RoleChoice } from '../roles/role-choice.tsx';

/** Assigns and removes roles of a user, with a preview of the effect. */
export function UserRolesDialog({
  user,
  onClose,
}: {
  readonly user: UserRow;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const flash = useFlash();
  const roles = useQuery(api.access.roles.list.queryOptions()).data;
  const held = useMemo(
    () => (roles ?? []).flatMap(({ id, name }) => (user.roles.includes(name) ? [id] : [])),
    [roles, user.roles],
  );
  const [changed, setChanged] = useState<readonly string[]>();
  const chosen = changed ?? held;
  const save = useMutation(
    api.access.users.changeRoles.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(api.access.pathFilter());
        void queryClient.invalidateQueries(api.auditTrail.pathFilter());
        flash.add({
          type: 'success',
          content: t('access.user.rolesChanged', { name: user.username }),
        });
        onClose();
      },
    }),
  );
  const names = (ids: readonly string[]): string[] =>
    (roles ?? []).flatMap(({ id, name }) => (ids.includes(id) ? [name] : []));
  const count = (ids: readonly string[]): number =>
    effectivePermissions(names(ids), roles ?? []).length;
  return (
    <FormDialog
      title={t('access.user.rolesOf', { name: user.username })}
      submitLabel={t('access.form.save')}
      busy={save.isPending}
      error={save.error}
      fields={[]}
      disabled={changed === undefined}
      disabledReason={t('access.user.rolesUnchanged')}
      onSubmit={() =>
        save.mutate({
          id: user.id,
          add: chosen.filter((id) => !held.includes(id)),
          remove: held.filter((id) => !chosen.includes(id)),
        })
      }
      onCancel={onClose}
    >
      <FormField
        label={t('access.column.roles')}
        constraintText={t('access.user.permissionsFromTo', {
          before: count(held),
          after: count(chosen),
        })}
        stretch
      >
        <RoleChoice chosen={chosen} onChange={setChanged} />
      </FormField>
    </FormDialog>
  );
}
