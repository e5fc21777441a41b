import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AddedPasskey, OwnPasskeys } from '@deviceportal/contract/passkeys';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { askForSignIn } from '../../session/sign-in-request.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import { createCredential } from './create-credential.ts';

export interface PasskeyChangesOptions {
  readonly onCodes: (codes: readonly string[]) => void;
}

/** Changes of the user’s passkeys. Each asks for a new sign-in first if the current one is too old. */
export function usePasskeyChanges({ onCodes }: PasskeyChangesOptions) {
  const api = useApi();
  const t = useT();
  const flash = useFlash();
  const client = useQueryClient();
  const onError = useErrorFlash();
  const onSettled = () => client.invalidateQueries(api.passkeys.pathFilter());
  const done = (content: string): void => void flash.add({ type: 'success', content });
  const begin = useMutation(api.passkeys.begin.mutationOptions());
  const finish = useMutation(api.passkeys.add.mutationOptions());
  const add = useMutation({
    mutationFn: async (): Promise<AddedPasskey | undefined> => {
      const credential = await createCredential(await begin.mutateAsync());
      return credential && finish.mutateAsync({ credential: { ...credential } });
    },
    onSuccess: (added) => {
      if (added === undefined) return;
      done(t('profile.passkeys.added', { name: added.passkey.name }));
      if (added.recoveryCodes !== null) onCodes(added.recoveryCodes);
    },
    ...{ onError, onSettled },
  });
  const remove = useMutation(
    api.passkeys.remove.mutationOptions({
      onSuccess: () => done(t('profile.passkeys.removed')),
      ...{ onError, onSettled },
    }),
  );
  const setSignIn = useMutation(api.passkeys.setSignIn.mutationOptions({ onError, onSettled }));
  const createCodes = useMutation(
    api.passkeys.createRecoveryCodes.mutationOptions({ onSuccess: onCodes, onError, onSettled }),
  );
  return {
    ...{ add, remove, setSignIn, createCodes },
    /** Runs a change, or asks for a new sign-in first. */
    whenFresh: ({ changeableUntil }: OwnPasskeys, change: () => void): void => {
      if (Date.parse(changeableUntil) > Date.now()) change();
      else askForSignIn();
    },
  };
}

export type PasskeyChanges = ReturnType<typeof usePasskeyChanges>;
