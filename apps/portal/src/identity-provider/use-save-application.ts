import { useMutation } from '@tanstack/react-query';
import type { MadeApplication, ProviderApplication } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { applicationInput, type ApplicationDraft } from './application-draft.ts';
import { useProviderChanged } from './use-provider-changed.ts';

/** @param application The application to edit. Without it, a new one is created. */
export function useSaveApplication(
  application: ProviderApplication | undefined,
  {
    onMade,
    onClose,
  }: { readonly onMade: (made: MadeApplication) => void; readonly onClose: () => void },
) {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const create = useMutation(
    api.provider.applications.create.mutationOptions({
      onSuccess: (made) => {
        changed();
        onMade(made);
      },
    }),
  );
  const edit = useMutation(
    api.provider.applications.edit.mutationOptions({
      onSuccess: (_, { name }) => {
        onClose();
        changed(t('identityProvider.saved', { name }));
      },
    }),
  );
  const { error, isPending } = application === undefined ? create : edit;
  return {
    error,
    isPending,
    save: (draft: ApplicationDraft): void => {
      const input = applicationInput(draft);
      if (application === undefined) create.mutate(input);
      else edit.mutate({ ...input, appId: application.appId, basedOn: application.modifiedAt });
    },
  };
}
