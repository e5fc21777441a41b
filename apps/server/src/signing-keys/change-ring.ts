import type { AuditType } from '@deviceportal/contract/audit-trail';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { holdUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { RotatingKeyRing } from '../platform/secrets/signing-key-ring.ts';

/** The rings whose keys devices pin. */
export const rotatedRings = ['runs', 'releases'] as const;
export type RotatedRing = (typeof rotatedRings)[number];

export interface RingChange {
  readonly database: Database;
  readonly name: RotatedRing;
  readonly ring: RotatingKeyRing;
  readonly now: Date;
}

/** Makes the next key: devices learn it while the one before still signs. */
export function prepareKey(change: RingChange): Promise<string> {
  return recorded(change, 'access.device-key-prepared', async ({ ring, now }) => {
    const { keyId } = await ring.prepare(now);
    return [keyId];
  }).then(([keyId = '']) => keyId);
}

/** From now on the next key signs. @throws Error when there is none */
export function promoteKey(change: RingChange): Promise<string> {
  return recorded(change, 'access.device-key-promoted', async ({ ring, now }) => {
    const { keyId } = await ring.promote(now);
    return [keyId];
  }).then(([keyId = '']) => keyId);
}

/** Devices no longer accept what keys signed that ceased to sign before this moment. */
export function expireKeys(change: RingChange, retiredBefore: Date): Promise<readonly string[]> {
  return recorded(change, 'access.device-key-expired', ({ ring }) => ring.expire(retiredBefore));
}

/** Nothing that a key signed counts any more, from whenever it is. @throws RangeError without such a key */
export async function withdrawKey(change: RingChange, keyId: string): Promise<void> {
  await recorded(change, 'access.device-key-withdrawn', async ({ ring, now }) => {
    await ring.withdraw(keyId, now);
    return [keyId];
  });
}

/** The ring is outside the database: its change is the last thing before the commit of its events. */
function recorded(
  change: RingChange,
  type: AuditType,
  work: (change: RingChange) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  return inTransaction(change.database, async (tx) => {
    // A server and an operator change a ring one after the other.
    await holdUntilCommit(tx, `device-keys ${change.name}`);
    const keyIds = await work(change);
    await recordAudit(
      tx,
      keyIds.map((keyId) => ({
        type,
        actor: systemActor,
        data: { ring: change.name, keyId },
      })),
    );
    return keyIds;
  });
}
