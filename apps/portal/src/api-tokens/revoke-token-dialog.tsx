import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiTokenRow } from '@deviceportal/contract/api-tokens';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';

/** Confirms the end of a token. */
export function RevokeTokenDialog({
  token: { id, name },
  onDone,
  onClose,
}: {
  readonly token: ApiTokenRow;
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const revoke = useMutation(
    api.apiTokens.revoke.mutationOptions({
      onSuccess: () => onDone(t('apiTokens.revoked', { name })),
    }),
  );
  return (
    <ConfirmDialog
      title={t('apiTokens.revokeTitle', { name })}
      confirmLabel={t('apiTokens.revoke')}
      busy={revoke.isPending}
      error={revoke.isError ? <ErrorView error={revoke.error} place="alert" /> : null}
      onConfirm={() => revoke.mutate({ id })}
      onCancel={onClose}
    >
      {t('apiTokens.revokeBody')}
    </ConfirmDialog>
  );
}
