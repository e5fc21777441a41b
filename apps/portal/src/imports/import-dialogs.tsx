import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { IMPORT_HOURS, type ImportDetail } from '@deviceportal/contract/imports';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { ImportClaimDialog } from './import-claim-dialog.tsx';

export type ImportAct = 'confirm' | 'discard' | 'undo' | 'claim';

/** The confirmation of an action. */
export function ImportDialogs({
  act,
  detail,
  onClose,
}: {
  readonly act: ImportAct | undefined;
  readonly detail: ImportDetail;
  readonly onClose: () => void;
}): ReactNode {
  if (act === undefined) return null;
  if (act === 'claim') return <ImportClaimDialog id={detail.id} onClose={onClose} />;
  return <Decision act={act} detail={detail} onClose={onClose} />;
}

function Decision({
  act,
  detail,
  onClose,
}: {
  readonly act: Exclude<ImportAct, 'claim'>;
  readonly detail: ImportDetail;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const { id, counts } = detail;
  const decide = useMutation(
    api.imports[act].mutationOptions({
      onSuccess: (next) => {
        queryClient.setQueryData(api.imports.get.queryKey({ id }), next);
        void queryClient.invalidateQueries(api.imports.list.pathFilter());
        onClose();
      },
    }),
  );
  const changes = counts.new + counts.changed;
  return (
    <ConfirmDialog
      title={t(`imports.${act}.title`)}
      confirmLabel={
        act === 'confirm' ? t('imports.confirm', { count: changes }) : t(`imports.${act}`)
      }
      busy={decide.isPending}
      error={decide.error === null ? null : <ErrorView error={decide.error} place="alert" />}
      onConfirm={() => decide.mutate({ id })}
      onCancel={onClose}
    >
      {act === 'confirm'
        ? t('imports.confirm.effect', {
            ...{ new: counts.new, changed: counts.changed, refused: counts.refused },
            hours: IMPORT_HOURS,
          })
        : t(`imports.${act}.effect`)}
    </ConfirmDialog>
  );
}
