import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SavedView } from '@deviceportal/contract/devices';
import { useApi } from '../../../api/use-api.ts';
import { useT } from '../../../i18n/use-t.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ErrorView } from '../../../ui/error-reaction/error-view.tsx';

export interface RemoveViewDialogProps {
  readonly view: SavedView;
  readonly onRemoved: () => void;
  readonly onCancel: () => void;
}

export function RemoveViewDialog({ view, onRemoved, onCancel }: RemoveViewDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const remove = useMutation(api.devices.removeView.mutationOptions({ onSuccess: onRemoved }));
  return (
    <ConfirmDialog
      title={t('devices.views.removeTitle', { name: view.name })}
      confirmLabel={t('devices.views.remove')}
      busy={remove.isPending}
      error={remove.error === null ? undefined : <ErrorView error={remove.error} place="alert" />}
      onCancel={onCancel}
      onConfirm={() => remove.mutate({ id: view.id })}
    >
      {t(view.sharedWithRole === null ? 'devices.views.removeBody' : 'devices.views.removeShared')}
    </ConfirmDialog>
  );
}
