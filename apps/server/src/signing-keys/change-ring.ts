import type { AuditType } from '@deviceportal/contract/audit-trail';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { holdUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { RotatingKeyRing } from '../platform/secrets/signing-key-ring.ts';

/** The key rings that devices pin. */
export const rotatedRings = ['runs', 'releases'] as const;
export type RotatedRing = (typeof rotatedRings)[number];

export interface RingChange {
  readonly database: Database;
  readonly name: RotatedRing;
  readonly ring: RotatingKeyRing;
  readonly now: Date;
}

/** Creates the next key: devices receive it while the current one still signs. */
export function prepareKey(change: RingChange): Promise<string> {
  return recorded(change, 'access.device-key-prepared', async ({ ring, now }) => {
    const { keyId } = await ring.prepare(now);
    return [keyId];
  }).then(([keyId = '']) => keyId);
}

/** Makes the next key sign. @throws Error when there is none */
export function promoteKey(change: RingChange): Promise<string> {
  return recorded(change, 'access.device-key-promoted', async ({ ring, now }) => {
    const { keyId } = await ring.promote(now);
    return [keyId];
  }).then(([keyId = '']) => keyId);
}

/** Devices no longer accept keys that stopped signing before this time. */
export function expireKeys(change: RingChange, retiredBefore: Date): Promise<readonly string[]> {
  return recorded(change, 'access.device-key-expired', ({ ring }) => ring.expire(retiredBefore));
}

/** Invalidates all signatures of a key, of any time. @throws RangeError for an unknown key */
export async function withdrawKey(change: RingChange, keyId: string): Promise<void> {
  await recorded(change, 'access.device-key-withdrawn', async ({ ring, now }) => {
    await ring.withdraw(keyId, now);
    return [keyId];
  });
}

/** The ring is stored outside the database: it is changed last before the commit of its audit events. */
function recorded(
  change: RingChange,
  type: AuditType,
  work: (change: RingChange) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  return inTransaction(change.database, async (tx) => {
    // Serializes changes of a ring by servers and operators.
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
