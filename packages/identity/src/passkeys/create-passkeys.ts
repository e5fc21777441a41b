import { inTransaction } from '../database/in-transaction.ts';
import { assertionOptions, finishAssertion } from './assert-passkey.ts';
import { openChallenge, openSignInChallenge } from './passkey-challenges.ts';
import { writeNotifiedChange } from './notify-owner.ts';
import { writeChange, type PasskeyContext } from './passkey-context.ts';
import { PasskeyError } from './passkey-error.ts';
import {
  deletePasskeyOwner,
  findPasskeyOwner,
  lockPasskeyOwner,
  setSignsIn,
} from './passkey-owner-store.ts';
import {
  deletePasskey,
  findOwnersOfPasskeys,
  listPasskeys,
  renamePasskey,
} from './passkey-store.ts';
import type { Passkeys } from './passkeys.ts';
import { countRecoveryCodes } from './recovery-code-store.ts';
import { replaceCodes, useRecoveryCode } from './recovery-codes.ts';
import { beginRegistration, finishRegistration } from './register-passkey.ts';
import { removeAllPasskeys } from './remove-all-passkeys.ts';
import { shownPasskey } from './shown-passkey.ts';

export function createPasskeys(context: PasskeyContext): Passkeys {
  const { db } = context;
  return {
    isAvailable: context.relyingParty !== undefined,
    async overview(ownerId) {
      const [owner, passkeys, recoveryCodesLeft] = await Promise.all([
        findPasskeyOwner(db, ownerId),
        listPasskeys(db, ownerId),
        countRecoveryCodes(db, ownerId),
      ]);
      const signsIn = owner?.signsIn ?? false;
      return { passkeys: passkeys.map(shownPasskey), signsIn, recoveryCodesLeft };
    },
    has: async (ownerId) => (await findOwnersOfPasskeys(db, [ownerId])).has(ownerId),
    findOwners: (ownerIds) => findOwnersOfPasskeys(db, ownerIds),
    beginRegistration: (caller, user) => beginRegistration(context, caller, user),
    finishRegistration: (caller, response, name) =>
      finishRegistration(context, caller, { response, name }),
    async beginAssertion(ownerId, purpose) {
      const allowed = await listPasskeys(db, ownerId);
      if (allowed.length === 0) throw new PasskeyError('unknownPasskey');
      const challenge = await openChallenge(context, { ownerId, purpose });
      return assertionOptions(context, challenge, allowed);
    },
    beginSignIn: async (address) =>
      assertionOptions(context, await openSignInChallenge(context, address), []),
    finishAssertion: (caller, purpose, response) =>
      finishAssertion(context, caller, { use: { ownerId: caller.owner.id, purpose }, response }),
    finishSignIn: (origin, response) =>
      finishAssertion(context, origin, {
        use: { ownerId: undefined, purpose: 'sign-in' },
        response,
      }),
    useRecoveryCode: (caller, code) => useRecoveryCode(context, caller, code),
    removeAll: (owner, origin) => removeAllPasskeys(context, owner, origin),
    ...passkeyChanges(context),
  };
}

function passkeyChanges(
  context: PasskeyContext,
): Pick<Passkeys, 'rename' | 'remove' | 'setSignsIn' | 'createRecoveryCodes'> {
  const { db } = context;
  return {
    async rename(caller, id, name) {
      await inTransaction(db, async (client) => {
        const isFound = await renamePasskey(client, { ownerId: caller.owner.id, id, name });
        if (!isFound) throw new PasskeyError('unknownPasskey');
        await writeChange(context, client, caller, 'a passkey was renamed');
      });
    },
    async remove(caller, id) {
      const ownerId = caller.owner.id;
      await inTransaction(db, async (client) => {
        await lockPasskeyOwner(client, ownerId);
        if (!(await deletePasskey(client, { ownerId, id }))) {
          throw new PasskeyError('unknownPasskey');
        }
        if ((await listPasskeys(client, ownerId)).length === 0) {
          await deletePasskeyOwner(client, ownerId);
        }
        await writeNotifiedChange(context, client, caller, {
          detail: 'a passkey was removed',
          change: 'passkey-removed',
        });
      });
    },
    async setSignsIn(caller, signsIn) {
      const ownerId = caller.owner.id;
      await inTransaction(db, async (client) => {
        await lockPasskeyOwner(client, ownerId);
        if ((await listPasskeys(client, ownerId)).length === 0) {
          throw new PasskeyError('unknownPasskey');
        }
        if (!(await setSignsIn(client, ownerId, signsIn))) return;
        const to = signsIn ? 'on' : 'off';
        await writeNotifiedChange(context, client, caller, {
          detail: `sign-in with a passkey was turned ${to}`,
          change: `passkey-sign-in-${to}`,
        });
      });
    },
    async createRecoveryCodes(caller) {
      const ownerId = caller.owner.id;
      return inTransaction(db, async (client) => {
        await lockPasskeyOwner(client, ownerId);
        if ((await listPasskeys(client, ownerId)).length === 0) {
          throw new PasskeyError('unknownPasskey');
        }
        const codes = await replaceCodes(context, client, ownerId);
        await writeNotifiedChange(context, client, caller, {
          detail: 'new recovery codes were created',
          change: 'recovery-codes-replaced',
        });
        return codes;
      });
    },
  };
}
