import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DocumentDetail } from '@deviceportal/contract/documents';
import { portalErrorOf } from '../api/portal-error-of.ts';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../ui/flash-store.ts';

export interface DocumentChanges {
  readonly busy: boolean;
  readonly setDefault: (version: number) => void;
  readonly sendForReview: (version: number) => void;
  readonly withdraw: (version: number) => void;
  /** Null to deprecate the document with all versions, after its name was typed. */
  readonly deprecate: (version: number | null) => void;
  readonly dialog: ReactNode;
}

/** Confirms a change of a document and reloads the data on screen. */
export function useDocumentChanged(): (words: string) => void {
  const api = useApi();
  const queryClient = useQueryClient();
  const flash = useFlash();
  return (words) => {
    void queryClient.invalidateQueries(api.documents.pathFilter());
    void queryClient.invalidateQueries(api.commands.getForm.pathFilter());
    void queryClient.invalidateQueries(api.commands.whoMayRun.pathFilter());
    flash.add({ type: 'success', content: words, dismissible: true });
  };
}

/** Reports a concurrent change and reloads the document. Other errors are reported as usual. */
export function useDocumentRefused(): (error: unknown) => void {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const flash = useFlash();
  const showError = useErrorFlash();
  return (error) => {
    const { name, facts } = portalErrorOf(error);
    if (name !== 'invalidParameters') {
      showError(error);
      return;
    }
    void queryClient.invalidateQueries(api.documents.pathFilter());
    const other = facts['versionInReview'];
    flash.add({
      type: 'warning',
      content:
        typeof other === 'number'
          ? t('documents.review.anotherFirst', { version: other })
          : t('documents.review.changedMeanwhile'),
      dismissible: true,
    });
  };
}

/** Actions of authors on a version. Deprecating a document asks for its name. */
export function useDocumentChanges({ name }: DocumentDetail): DocumentChanges {
  const t = useT();
  const api = useApi();
  const refused = useDocumentRefused();
  const changed = useDocumentChanged();
  const [deprecating, setDeprecating] = useState(false);
  const setDefault = useMutation(
    api.documents.setDefaultVersion.mutationOptions({
      onError: refused,
      onSuccess: () => changed(t('documents.setDefault.done')),
    }),
  );
  const send = useMutation(
    api.documents.sendForReview.mutationOptions({
      onError: refused,
      onSuccess: (_detail, { version }) => changed(t('documents.review.sent', { name, version })),
    }),
  );
  const withdraw = useMutation(
    api.documents.withdrawFromReview.mutationOptions({
      onError: refused,
      onSuccess: (_detail, { version }) =>
        changed(t('documents.review.withdrawn', { name, version })),
    }),
  );
  const deprecate = useMutation(
    api.documents.deprecate.mutationOptions({
      onError: (error, { version }) => {
        if (typeof version === 'number') refused(error);
      },
      onSuccess: (_detail, { version }) => {
        setDeprecating(false);
        changed(
          typeof version === 'number'
            ? t('documents.deprecateVersion.done', { name, version })
            : t('documents.deprecate.done', { name }),
        );
      },
    }),
  );
  return {
    busy: [setDefault, send, withdraw, deprecate].some(({ isPending }) => isPending),
    setDefault: (version) => setDefault.mutate({ name, version }),
    sendForReview: (version) => send.mutate({ name, version }),
    withdraw: (version) => withdraw.mutate({ name, version }),
    deprecate: (version) => {
      deprecate.reset();
      if (version === null) setDeprecating(true);
      else deprecate.mutate({ name, version });
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
