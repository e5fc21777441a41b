import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { OwnPasskey } from '@deviceportal/contract/passkeys';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';

const LONGEST_NAME = 64;

export interface RenamePasskeyDialogProps {
  readonly passkey: OwnPasskey;
  readonly onClose: () => void;
}

export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const client = useQueryClient();
  const [name, setName] = useState(passkey.name);
  const rename = useMutation(
    api.passkeys.rename.mutationOptions({
      onError: useErrorFlash(),
      onSuccess: onClose,
      onSettled: () => client.invalidateQueries(api.passkeys.pathFilter()),
    }),
  );
  return (
    <ConfirmDialog
      title={t('profile.passkeys.renameOne', { name: passkey.name })}
      confirmLabel={t('profile.passkeys.rename')}
      disabled={name.trim() === ''}
      busy={rename.isPending}
      onConfirm={() => rename.mutate({ id: passkey.id, name })}
      onCancel={onClose}
    >
      <FormField label={t('profile.passkeys.name')} stretch>
        <Input
          value={name}
          onChange={({ detail }) => setName(detail.value.slice(0, LONGEST_NAME))}
        />
      </FormField>
    </ConfirmDialog>
  );
}
