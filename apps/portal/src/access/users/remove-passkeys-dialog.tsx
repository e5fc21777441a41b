import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UserRow } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { useFlash } from '../../ui/flash-store.ts';

export interface RemovePasskeysDialogProps {
  readonly user: Pick<UserRow, 'id' | 'username'>;
  readonly onClose: () => void;
}

/** Removes the passkeys and recovery codes of a user who lost them. */
export function RemovePasskeysDialog({ user, onClose }: RemovePasskeysDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const remove = useMutation(
    api.access.users.removePasskeys.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(api.access.pathFilter());
        void queryClient.invalidateQueries(api.auditTrail.pathFilter());
        flash.add({
          type: 'success',
          content: t('access.passkeys.done', { name: user.username }),
        });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('access.passkeys.title', { name: user.username })}
      confirmLabel={t('access.passkeys.remove')}
      busy={remove.isPending}
      error={remove.isError ? <ErrorView error={remove.error} place="alert" /> : null}
      onConfirm={() => remove.mutate({ id: user.id })}
      onCancel={onClose}
    >
      {t('access.passkeys.body')}
    </ConfirmDialog>
  );
}
