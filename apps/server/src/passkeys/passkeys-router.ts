import {
  addPasskeyInput,
  passkeyReferenceInput,
  passkeySignInInput,
  renamePasskeyInput,
  type AddedPasskey,
  type OwnPasskey,
  type OwnPasskeys,
} from '@deviceportal/contract/passkeys';
import type { Passkey, Passkeys } from '@deviceportal/identity/passkeys';
import { permitted, router } from '../platform/api.ts';
import {
  changeableUntil,
  changePasskeys,
  inPortalWords,
  passkeyCallerOf,
} from './change-passkeys.ts';
import type { PasskeysDeps } from './passkeys-deps.ts';

type CreationOptions = Awaited<ReturnType<Passkeys['beginRegistration']>>;

/** The passkeys of the signed-in user. */
export function createPasskeysRouter(deps: PasskeysDeps) {
  const { passkeys, passkeysAskedAt } = deps;
  return router({
    list: permitted('session').query(async ({ ctx: { viewer } }): Promise<OwnPasskeys> => {
      const found = await passkeys.overview(viewer.subject);
      return {
        isAvailable: passkeys.isAvailable,
        passkeys: found.passkeys.map(toOwn),
        askedAt: passkeysAskedAt,
        signsIn: found.signsIn,
        recoveryCodesLeft: found.recoveryCodesLeft,
        changeableUntil: changeableUntil(viewer).toISOString(),
      };
    }),
    begin: permitted('session').mutation(({ ctx }): Promise<CreationOptions> => {
      const { username, displayName } = ctx.viewer;
      return changePasskeys(deps, ctx, (caller) =>
        passkeys.beginRegistration(caller, { name: username, displayName }),
      );
    }),
    add: permitted('session')
      .input(addPasskeyInput)
      .mutation(({ ctx, input }): Promise<AddedPasskey> =>
        changePasskeys(deps, ctx, async (caller) => {
          const added = await passkeys.finishRegistration(caller, input.credential);
          return { passkey: toOwn(added.passkey), recoveryCodes: added.recoveryCodes ?? null };
        }),
      ),
    rename: permitted('session')
      .input(renamePasskeyInput)
      .mutation(({ ctx, input }): Promise<void> =>
        inPortalWords(() => passkeys.rename(passkeyCallerOf(ctx), input.id, input.name)),
      ),
    remove: permitted('session')
      .input(passkeyReferenceInput)
      .mutation(({ ctx, input }): Promise<void> =>
        changePasskeys(deps, ctx, (caller) => passkeys.remove(caller, input.id)),
      ),
    setSignIn: permitted('session')
      .input(passkeySignInInput)
      .mutation(({ ctx, input }): Promise<void> =>
        changePasskeys(deps, ctx, (caller) => passkeys.setSignsIn(caller, input.signsIn)),
      ),
    createRecoveryCodes: permitted('session').mutation(({ ctx }): Promise<readonly string[]> =>
      changePasskeys(deps, ctx, (caller) => passkeys.createRecoveryCodes(caller)),
    ),
  });
}

function toOwn({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): OwnPasskey {
  return {
    ...{ id, name, isSynced },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
