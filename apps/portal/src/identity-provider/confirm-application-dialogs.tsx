import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MadeApplication, ProviderApplication } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useProviderChanged } from './use-provider-changed.ts';

interface QuestionProps {
  readonly application: ProviderApplication;
  readonly onMade: (made: MadeApplication) => void;
  readonly onClose: () => void;
}

/**
 * Confirms the rotation of a secret, which is disruptive: users cannot sign in until the
 * application has the new one.
 */
export function RotateSecretDialog({ application, onMade, onClose }: QuestionProps): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const rotate = useMutation(
    api.provider.applications.rotateSecret.mutationOptions({
      onSuccess: (made) => {
        changed();
        onMade(made);
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('identityProvider.rotate.title', { name: application.name })}
      confirmLabel={t('identityProvider.act.rotate')}
      busy={rotate.isPending}
      error={rotate.isError ? <ErrorView error={rotate.error} place="alert" /> : null}
      onConfirm={() => rotate.mutate({ appId: application.appId })}
      onCancel={onClose}
    >
      {t('identityProvider.rotate.body')}
    </ConfirmDialog>
  );
}

/**
 * Confirms the deletion of an application, which is destructive: users can no longer sign in, and
 * its keys are deleted.
 */
export function RemoveApplicationDialog({ application, onClose }: QuestionProps): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const { appId, name, accessKeys } = application;
  const remove = useMutation(
    api.provider.applications.remove.mutationOptions({
      onSuccess: () => {
        onClose();
        changed(t('identityProvider.removed', { name }));
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('identityProvider.remove.title', { name })}
      confirmLabel={t('identityProvider.act.remove')}
      typed={name}
      busy={remove.isPending}
      error={remove.isError ? <ErrorView error={remove.error} place="alert" /> : null}
      onConfirm={() => remove.mutate({ appId })}
      onCancel={onClose}
    >
      {t('identityProvider.application.removeBody', { keys: accessKeys })}
    </ConfirmDialog>
  );
}
