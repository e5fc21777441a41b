import Button from '@cloudscape-design/components/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { BackupsView } from '@deviceportal/contract/backups';
import { useManageDisabledReason } from '../access/use-manage-disabled-reason.ts';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useFlash } from '../ui/flash-store.ts';

/** Starts a complete backup, after a confirmation. */
export function StartBackupButton({ of }: { readonly of: BackupsView }): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const reason = useDisabledReason(of);
  const [isOpen, setOpen] = useState(false);
  const start = useMutation(
    api.backups.start.mutationOptions({
      onSuccess: () => {
        setOpen(false);
        flash.add({ type: 'success', content: t('backups.start.started'), dismissible: true });
        return queryClient.invalidateQueries(api.backups.pathFilter());
      },
    }),
  );
  return (
    <>
      <Button
        disabled={reason !== undefined}
        {...(reason === undefined ? {} : { disabledReason: reason })}
        onClick={() => {
          start.reset();
          setOpen(true);
        }}
      >
        {t('backups.start')}
      </Button>
      {isOpen ? (
        <ConfirmDialog
          title={t('backups.start.title')}
          confirmLabel={t('backups.start.confirm')}
          busy={start.isPending}
          error={start.error === null ? null : <ErrorView error={start.error} place="alert" />}
          onConfirm={() => start.mutate()}
          onCancel={() => setOpen(false)}
        >
          {t('backups.start.body', { place: of.place })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function useDisabledReason({ runningSince, requestedAt }: BackupsView): string | undefined {
  const t = useT();
  const mayNot = useManageDisabledReason();
  if (mayNot !== undefined) return mayNot;
  if (runningSince !== null) return t('backups.start.running');
  return requestedAt === null ? undefined : t('backups.start.requested');
}
