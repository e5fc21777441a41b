import { useMutation } from '@tanstack/react-query';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import type { HoldDialogProps } from './request-release-dialog.tsx';

/** Confirms the end of a hold, which is destructive: what it kept is deleted when its retention is over. */
export function ApproveReleaseDialog({ hold, onDone, onClose }: HoldDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { id, name, releaseRequestedBy, releaseReason } = hold;
  const approve = useMutation(
    api.legalHolds.approveRelease.mutationOptions({
      onSuccess: () => onDone(t('legalHolds.approved', { name })),
    }),
  );
  return (
    <ConfirmDialog
      title={t('legalHolds.approveTitle', { name })}
      confirmLabel={t('legalHolds.act.approve')}
      typed={name}
      busy={approve.isPending}
      error={approve.isError ? <ErrorView error={approve.error} place="alert" /> : null}
      onConfirm={() => approve.mutate({ id })}
      onCancel={onClose}
    >
      <SpaceBetween size="xs">
        <div>
          {t('legalHolds.whoAndWhy', { who: releaseRequestedBy ?? '-', reason: releaseReason })}
        </div>
        <div>{t('legalHolds.approveBody')}</div>
      </SpaceBetween>
    </ConfirmDialog>
  );
}
