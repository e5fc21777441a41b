import { auditKeyOf } from '../audit-trail/audit-signer.ts';
import { findKeyAnnouncement } from '../audit-trail/data/find-key-announcement.ts';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { SigningKeyRing, VerifyingKey } from '../platform/installation-secrets.ts';
import { fingerprintOfPublicKey } from './secret-fingerprints.ts';

/** Clocks of this server and of the database differ by less. */
const CLOCK_MS = 86_400_000;

/**
 * Puts the next audit key on the trail, unless it is there: the key before seals that, and so vouches for it.
 *
 * @returns id of the event
 */
export async function announceAuditKey(
  database: Pick<Database, 'orm'>,
  { known }: Pick<SigningKeyRing, 'known'>,
  next: VerifyingKey,
): Promise<string> {
  const { id: keyId, publicKey, endorsement } = auditKeyOf(next, known);
  return inTransaction(database, async (tx) => {
    const find = () =>
      findKeyAnnouncement(tx, { publicKey, after: new Date(next.since.getTime() - CLOCK_MS) });
    const found = await find();
    if (found !== undefined) return found;
    const data = {
      ...{ keyId, publicKey, endorsement: endorsement ?? null },
      fingerprint: fingerprintOfPublicKey(next.publicKey),
    };
    await recordAudit(tx, [{ type: 'audit-trail.key-announced', actor: systemActor, data }]);
    return (await find()) as string;
  });
}
