import { auditKeyOf } from '../audit-trail/audit-signer.ts';
import { findKeyAnnouncement } from '../audit-trail/data/find-key-announcement.ts';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { SigningKeyRing, VerifyingKey } from '../platform/installation-secrets.ts';
import { fingerprintOfPublicKey } from './secret-fingerprints.ts';

/** Upper bound of the difference between the clocks of this server and the database. */
const CLOCK_MS = 86_400_000;

/**
 * Records the next audit key in the audit trail, if it is not there yet. The current key seals that event and thus
 * certifies the next one.
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
