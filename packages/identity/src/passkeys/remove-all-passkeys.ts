import type { GuessedAccount } from '../accounts/account-guesses.ts';
import { administer } from '../administration/administer.ts';
import type { ActOrigin } from '../administration/administration-act.ts';
import { notifyOwner } from './notify-owner.ts';
import type { PasskeyContext } from './passkey-context.ts';
import { deletePasskeyOwner } from './passkey-owner-store.ts';
import { findOwnersOfPasskeys } from './passkey-store.ts';

/** Removes, records, and notifies the owner in one transaction. */
export function removeAllPasskeys(
  context: PasskeyContext,
  owner: GuessedAccount,
  origin: ActOrigin,
): Promise<boolean> {
  const { db: pool, clock, writeAct } = context;
  return administer({ pool, clock, writeAct }, origin, async ({ client, write }) => {
    const { id: sub, username } = owner;
    const had = (await findOwnersOfPasskeys(client, [sub])).has(sub);
    // Also what a registration that was not finished left, so that it cannot be finished.
    if (!(await deletePasskeyOwner(client, sub)) || !had) return false;
    await write('userChanged', { user: { sub, username }, detail: { changed: 'passkeys' } });
    await notifyOwner(context, client, { owner, change: 'passkeys-removed', askedFrom: undefined });
    return true;
  });
}
