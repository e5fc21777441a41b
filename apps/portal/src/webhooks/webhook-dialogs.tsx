import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { WEBHOOK_LIMITS, type WebhookRow } from '@deviceportal/contract/webhooks';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { NewSecretDialog } from '../identity-provider/new-secret-dialog.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { navigateTo } from '../ui/navigate-to.ts';
import { SaveWebhookDialog } from './save-webhook-dialog.tsx';

export type OpenWebhookDialog =
  | { readonly act: 'create' }
  | { readonly act: 'show'; readonly name: string; readonly secret: string; readonly id: string }
  | { readonly act: 'edit' | 'rotate' | 'delete'; readonly webhook: WebhookRow };

interface WebhookDialogsProps {
  readonly open: OpenWebhookDialog | undefined;
  readonly onOpen: (dialog: OpenWebhookDialog | undefined) => void;
  /** After a change, with the words of its success. */
  readonly onDone: (words?: string) => void;
}

/** The dialog that is open, if any. */
export function WebhookDialogs({ open, onOpen, onDone }: WebhookDialogsProps): ReactNode {
  const t = useT();
  const close = (): void => onOpen(undefined);
  if (open === undefined) return null;
  switch (open.act) {
    case 'create':
    case 'edit':
      return (
        <SaveWebhookDialog
          webhook={open.act === 'edit' ? open.webhook : undefined}
          onChanged={(name) => onDone(t('webhooks.saved', { name }))}
          onCreated={(made, name) => {
            onDone();
            onOpen({ act: 'show', name, ...made });
          }}
          onClose={close}
        />
      );
    case 'show':
      return (
        <NewSecretDialog
          made={{
            title: t('webhooks.secretOf', { name: open.name }),
            idLabel: t('webhooks.id'),
            id: open.id,
            secretLabel: t('webhooks.secret'),
            secret: open.secret,
          }}
          onClose={() => {
            close();
            navigateTo(`/uam/webhooks/${open.id}`);
          }}
        />
      );
    case 'rotate':
      return <RotateDialog webhook={open.webhook} {...{ onOpen, onDone }} />;
    case 'delete':
      return <DeleteDialog webhook={open.webhook} {...{ onOpen, onDone }} />;
  }
}

type ActProps = Omit<WebhookDialogsProps, 'open'> & { readonly webhook: WebhookRow };

function RotateDialog({ webhook: { id, name }, onOpen, onDone }: ActProps): ReactNode {
  const t = useT();
  const api = useApi();
  const rotate = useMutation(
    api.webhooks.rotateSecret.mutationOptions({
      onSuccess: (made) => {
        onDone();
        onOpen({ act: 'show', name, ...made });
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('webhooks.rotateTitle', { name })}
      confirmLabel={t('webhooks.rotate')}
      busy={rotate.isPending}
      error={rotate.isError ? <ErrorView error={rotate.error} place="alert" /> : null}
      onConfirm={() => rotate.mutate({ id })}
      onCancel={() => onOpen(undefined)}
    >
      {t('webhooks.rotateBody', { hours: WEBHOOK_LIMITS.rotationHours })}
    </ConfirmDialog>
  );
}

function DeleteDialog({ webhook: { id, name }, onOpen, onDone }: ActProps): ReactNode {
  const t = useT();
  const api = useApi();
  const remove = useMutation(
    api.webhooks.delete.mutationOptions({
      onSuccess: () => {
        onDone(t('webhooks.deleted', { name }));
        navigateTo('/uam/webhooks');
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('webhooks.deleteTitle', { name })}
      confirmLabel={t('webhooks.delete')}
      busy={remove.isPending}
      error={remove.isError ? <ErrorView error={remove.error} place="alert" /> : null}
      onConfirm={() => remove.mutate({ id })}
      onCancel={() => onOpen(undefined)}
    >
      {t('webhooks.deleteBody')}
    </ConfirmDialog>
  );
}
