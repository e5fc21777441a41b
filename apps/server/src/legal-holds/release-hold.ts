import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { changeHold, lockHold, type StoredHold } from './data/hold-queries.ts';
import type { LegalHoldsDeps } from './legal-holds-deps.ts';
import { notifyRelease } from './notify-release.ts';
import { recordHold } from './record-hold.ts';

/** Requests the end of a hold, which another user approves. @throws PortalError 2003; 2004 if it has ended */
export function requestRelease(
  { database, clock }: LegalHoldsDeps,
  caller: Caller,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<void> {
  return inTransaction(database, async (tx) => {
    const hold = await requireStanding(tx, id, clock());
    if (hold.releaseRequestedById !== null) throw refuse('release-requested');
    await changeHold(tx, id, {
      releaseReason: reason,
      releaseRequestedById: caller.viewer.userId,
      releaseRequestedAt: clock(),
    });
    await recordHold(tx, caller, 'legal-hold.release-requested', {
      ...named(hold),
      purpose: reason,
    });
    await notifyRelease(tx, caller, hold);
  });
}

/** Withdraws or rejects a request to end a hold. @throws PortalError 2003; 2004 without a request */
export function rejectRelease(
  { database, clock }: LegalHoldsDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  return inTransaction(database, async (tx) => {
    const hold = await requireRequest(tx, id, clock());
    const none = { releaseReason: '', releaseRequestedById: null, releaseRequestedAt: null };
    await changeHold(tx, id, none);
    await recordHold(tx, caller, 'legal-hold.release-rejected', named(hold));
  });
}

/**
 * Ends a hold by the second user. What it covered can be deleted from then on.
 * @throws PortalError 2003; 2004 without a request; 1000 for the user who requested it
 */
export function approveRelease(
  { database, clock }: LegalHoldsDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  return inTransaction(database, async (tx) => {
    const hold = await requireRequest(tx, id, clock());
    if (hold.releaseRequestedById === caller.viewer.userId) {
      throw new PortalError('noPermission', {
        reason: 'own-release',
        facts: { permission: 'legal-holds:manage' },
      });
    }
    await changeHold(tx, id, { endedById: caller.viewer.userId, endedAt: clock() });
    await recordHold(tx, caller, 'legal-hold.released', {
      ...named(hold),
      requestedBy: hold.releaseRequestedById,
      purpose: hold.releaseReason,
    });
  });
}

const named = ({ id, name }: StoredHold) => ({ id, name });

async function requireStanding(tx: Transaction, id: string, now: Date): Promise<StoredHold> {
  const hold = await lockHold(tx, id);
  if (hold.endedAt === null && (hold.until === null || hold.until > now)) return hold;
  throw refuse('hold-ended');
}

async function requireRequest(tx: Transaction, id: string, now: Date): Promise<StoredHold> {
  const hold = await requireStanding(tx, id, now);
  if (hold.releaseRequestedById === null) throw refuse('release-not-requested');
  return hold;
}
