import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DocumentDetail } from '@deviceportal/contract/documents';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';
import { ErrorView } from '../shell/error-reaction/error-view.tsx';
import { useErrorFlash } from '../shell/error-reaction/use-error-flash.tsx';
import { useFlash } from '../shell/flash-store.ts';

export interface DocumentChanges {
  readonly setDefault: (version: number) => void;
  readonly activate: () => void;
  readonly askDeprecate: () => void;
  readonly dialog: ReactNode;
}

/** Changes of a document's state and default version; deprecating asks for its name. */
export function useDocumentChanges(document: DocumentDetail): DocumentChanges {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const flash = useFlash();
  const showError = useErrorFlash();
  const [deprecating, setDeprecating] = useState(false);
  const { name } = document;
  const changed = (words: string) => () => {
    void queryClient.invalidateQueries(api.documents.pathFilter());
    void queryClient.invalidateQueries(api.commands.getForm.pathFilter());
    flash.add({ type: 'success', content: words, dismissible: true });
  };
  const setDefault = useMutation(
    api.documents.setDefaultVersion.mutationOptions({
      onError: showError,
      onSuccess: changed(t('documents.setDefault.done')),
    }),
  );
  const activate = useMutation(
    api.documents.activate.mutationOptions({
      onError: showError,
      onSuccess: changed(t('documents.activate.done', { name })),
    }),
  );
  const deprecate = useMutation(
    api.documents.deprecate.mutationOptions({
      onSuccess: () => {
        setDeprecating(false);
        changed(t('documents.deprecate.done', { name }))();
      },
    }),
  );
  return {
    setDefault: (version) => setDefault.mutate({ name, version }),
    activate: () => activate.mutate({ name }),
    askDeprecate: () => {
      deprecate.reset();
      setDeprecating(true);
    },
    dialog: deprecating ? (
      <ConfirmDialog
        title={t('documents.deprecate.title', { name })}
        confirmLabel={t('documents.deprecate.action')}
        typed={name}
        busy={deprecate.isPending}
        error={deprecate.isError ? <ErrorView error={deprecate.error} place="alert" /> : null}
        onConfirm={() => deprecate.mutate({ name })}
        onCancel={() => setDeprecating(false)}
      >
        {t('documents.deprecate.effect')}
      </ConfirmDialog>
    ) : null,
  };
}
