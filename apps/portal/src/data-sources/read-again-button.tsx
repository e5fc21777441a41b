import Button from '@cloudscape-design/components/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { tableSources, type DataSource } from '@deviceportal/contract/data-sources';
import { useManageDisabledReason } from '../access/use-manage-disabled-reason.ts';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useFlash } from '../ui/flash-store.ts';

export interface ReadAgainButtonProps {
  readonly source: DataSource;
  readonly table: string;
}

/** Reads all items of an outside table again, after a confirmation, because that costs. */
export function ReadAgainButton({ source, table }: ReadAgainButtonProps): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const reason = useManageDisabledReason();
  const [isOpen, setOpen] = useState(false);
  const read = useMutation(
    api.dataSources.readAgain.mutationOptions({
      onSuccess: () => {
        setOpen(false);
        flash.add({
          type: 'success',
          content: t('dataSources.readAgain.started', { table }),
          dismissible: true,
        });
        return queryClient.invalidateQueries(api.dataSources.pathFilter());
      },
    }),
  );
  const input = tableSources.find((each) => each === source);
  if (input === undefined) return null;
  return (
    <>
      <Button
        disabled={reason !== undefined}
        {...(reason === undefined ? {} : { disabledReason: reason })}
        onClick={() => {
          read.reset();
          setOpen(true);
        }}
      >
        {t('dataSources.readAgain')}
      </Button>
      {isOpen ? (
        <ConfirmDialog
          title={t('dataSources.readAgain.title')}
          confirmLabel={t('dataSources.readAgain.confirm')}
          busy={read.isPending}
          error={read.error === null ? null : <ErrorView error={read.error} place="alert" />}
          onConfirm={() => read.mutate({ source: input })}
          onCancel={() => setOpen(false)}
        >
          <div>
            {t('dataSources.readAgain.body', { table })} {t('dataSources.readAgain.audit')}
          </div>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
