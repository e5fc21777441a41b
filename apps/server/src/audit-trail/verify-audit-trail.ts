import { sql } from 'drizzle-orm';
import type { Database } from '../platform/database/database.ts';
import { GENESIS_HASH, sealHash, type SealedContent } from './audit-seal.ts';
import { sealedFields } from './seal-audit-trail.ts';

export interface AuditVerification {
  /** Sealed events that were found to be as they were written. */
  readonly verified: number;
  /** The first place where the chain does not hold. */
  readonly broken: {
    readonly sequence: number;
    readonly reason: 'changed' | 'missing' | 'unlinked';
  } | null;
  /** Events that are neither sealed nor wait for it: written around the trigger, or their seal was removed. */
  readonly strays: number;
  /** Hash of the newest verified event, hexadecimal: kept elsewhere, it also proves that none was cut off the end. */
  readonly head: string;
}

interface SealedRow extends Omit<SealedContent, 'id'> {
  /** Null where the event that was sealed is gone. */
  readonly id: string | null;
  readonly hash: Buffer;
  readonly previousHash: Buffer;
}

const ROWS_AT_ONCE = 2_000;

/** Walks the chain from the first event on and recomputes every hash. Reads the whole trail. */
export async function verifyAuditTrail({
  database,
}: {
  readonly database: Database;
}): Promise<AuditVerification> {
  const chain = await verifyChain(database);
  return { ...chain, strays: await countStrays(database) };
}

async function verifyChain(database: Database): Promise<Omit<AuditVerification, 'strays'>> {
  let sequence = 0;
  let head = GENESIS_HASH;
  for (;;) {
    const { rows } = await database.orm.execute(sql`
      select l.sequence::float8 as sequence, ${sealedFields}, l.hash, l.previous_hash as "previousHash"
      from (select * from audit_seal where sequence > ${sequence} order by sequence limit ${ROWS_AT_ONCE}) l
      left join audit_event e on e.id = l.event_id order by l.sequence`);
    for (const row of rows as unknown as SealedRow[]) {
      const reason = whyBroken(row, sequence + 1, head);
      if (reason !== null) {
        return {
          verified: sequence,
          broken: { sequence: sequence + 1, reason },
          head: head.toString('hex'),
        };
      }
      sequence = row.sequence;
      head = row.hash;
    }
    if (rows.length < ROWS_AT_ONCE) {
      return { verified: sequence, broken: null, head: head.toString('hex') };
    }
  }
}

/** One statement sees one moment: an event that is being sealed right now stands in one of the two. */
async function countStrays({ orm }: Database): Promise<number> {
  const { rows } = await orm.execute(sql`
    with waiting as materialized (
      select event_id as id from audit_unsealed union all select unnest(further) from audit_unsealed)
    select count(*)::float8 as strays from audit_event e
    where not exists (select from audit_seal l where l.event_id = e.id)
      and not exists (select from waiting where waiting.id = e.id)`);
  return (rows[0] as { strays: number }).strays;
}

function whyBroken(
  row: SealedRow,
  expected: number,
  head: Buffer,
): 'changed' | 'missing' | 'unlinked' | null {
  const { hash, previousHash, id, ...content } = row;
  if (row.sequence !== expected || id === null) return 'missing';
  if (!previousHash.equals(head)) return 'unlinked';
  return sealHash({ ...content, id }, previousHash).equals(hash) ? null : 'changed';
}
