import { sql } from 'drizzle-orm';
import { auditKeyOf } from '../audit-trail/audit-signer.ts';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { SigningKeyRing, VerifyingKey } from '../platform/installation-secrets.ts';
import { fingerprintOfPublicKey } from './secret-fingerprints.ts';

/** Clocks of this server and of the database differ by less. */
const CLOCK_DAYS = 1;

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
    const find = async (): Promise<string | undefined> => {
      const { rows } = await tx.execute(sql`
        select id from audit_event
        where type = 'audit-trail.key-announced' and data->>'publicKey' = ${publicKey}
          and at > ${next.since.toISOString()}::timestamptz - make_interval(days => ${CLOCK_DAYS})
        order by id limit 1`);
      return (rows as unknown as { id: string }[])[0]?.id;
    };
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
