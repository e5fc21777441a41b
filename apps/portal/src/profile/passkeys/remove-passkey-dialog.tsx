import type { ReactNode } from 'react';
import type { OwnPasskey } from '@deviceportal/contract/passkeys';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { PasskeyChanges } from './use-passkey-changes.ts';

export interface RemovePasskeyDialogProps {
  readonly passkey: OwnPasskey;
  readonly isLast: boolean;
  readonly remove: PasskeyChanges['remove'];
  readonly onClose: () => void;
}

export function RemovePasskeyDialog(props: RemovePasskeyDialogProps): ReactNode {
  const { passkey, isLast, remove, onClose } = props;
  const t = useT();
  return (
    <ConfirmDialog
      title={t('profile.passkeys.removeOne', { name: passkey.name })}
      confirmLabel={t('profile.passkeys.remove')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ id: passkey.id }, { onSettled: onClose })}
      onCancel={onClose}
    >
      {t(isLast ? 'profile.passkeys.removeLast' : 'profile.passkeys.removeBody')}
    </ConfirmDialog>
  );
}
