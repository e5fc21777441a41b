import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { UserAct, UserRow } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { useFlash } from '../../ui/flash-store.ts';

export interface UserStatusDialogProps {
  readonly user: UserRow;
  readonly act: UserAct;
  readonly onClose: () => void;
}

/**
 * Suspends, restores, marks as resigned, or archives a user, with the reason for the audit trail.
 */
export function UserStatusDialog({ user, act, onClose }: UserStatusDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const flash = useFlash();
  const [reason, setReason] = useState('');
  const [stopQueued, setStopQueued] = useState(false);
  const change = useMutation(
    api.access.users.changeStatus.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(api.access.pathFilter());
        void queryClient.invalidateQueries(api.auditTrail.pathFilter());
        flash.add({
          type: 'success',
          content: t(`access.act.${act}.done`, { name: user.username }),
        });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t(`access.act.${act}.title`, { name: user.username })}
      confirmLabel={t(`access.act.${act}`)}
      busy={change.isPending}
      error={change.isError ? <ErrorView error={change.error} place="alert" /> : null}
      onConfirm={() => change.mutate({ id: user.id, act, reason, stopQueued })}
      onCancel={onClose}
    >
      <SpaceBetween size="m">
        <div>{t(`access.act.${act}.body`)}</div>
        {act === 'restore' ? null : (
          <Checkbox
            checked={stopQueued}
            description={t('access.act.stopQueued.about')}
            onChange={({ detail }) => setStopQueued(detail.checked)}
          >
            {t('access.act.stopQueued')}
          </Checkbox>
        )}
        <FormField label={t('access.act.reason')} stretch>
          <Input value={reason} onChange={({ detail }) => setReason(detail.value.slice(0, 500))} />
        </FormField>
      </SpaceBetween>
    </ConfirmDialog>
  );
}
