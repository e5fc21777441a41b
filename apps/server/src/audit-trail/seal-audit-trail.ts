import { sql } from 'drizzle-orm';
import { blockHash, GENESIS_HASH, type AuditBlock } from '@deviceportal/audit-proof/audit-block';
import { leafHash, recordValues, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { toHex } from '@deviceportal/audit-proof/hashing';
import { merkleRoot } from '@deviceportal/audit-proof/merkle-tree';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import { insertBlock, lastBlock, type SealedBlock } from './audit-block-store.ts';
import type { AuditSigner } from './audit-signer.ts';
import { proofTools } from './proof-tools.ts';
import { readSealedRecords } from './sealed-record.ts';

export interface SealDeps {
  readonly database: Database;
  readonly signer: AuditSigner;
  readonly clock: () => Date;
}

/**
 * Seals the next committed events: a block with a tree over them, linked to the block before and signed. Answers how
 * many; zero when there is nothing to do or another sealer is at work. Call it again while the batch is full.
 *
 * The place in the trail is the order of sealing, not of time, and the sealer alone gives it. So no row has to be
 * waited for: one whose transaction commits late is not visible now and is sealed in a later block. There is never a
 * hole, however long a transaction runs, and writers wait for nobody.
 */
export async function sealAuditTrail(
  { database, signer, clock }: SealDeps,
  batchSize = 2_000,
): Promise<number> {
  return inTransaction(database, async (tx) => {
    const { rows: lock } = await tx.execute(
      sql`select pg_try_advisory_xact_lock(hashtext('seal-audit-trail')) as held`,
    );
    if (!(lock[0] as { held: boolean }).held) return 0;
    const events = await takeUnsealed(tx, batchSize);
    if (events.length === 0) return 0;
    const block = await makeBlock(events, await lastBlock(tx), { signer, at: clock() });
    await insertBlock(tx, block, signer);
    return events.length;
  });
}

async function makeBlock(
  events: readonly AuditRecord[],
  before: AuditBlock | undefined,
  { signer, at }: { readonly signer: AuditSigner; readonly at: Date },
): Promise<SealedBlock> {
  const { sha256 } = proofTools;
  const leaves = events.map((event) => leafHash(sha256, recordValues(event)));
  const said = {
    number: (before?.number ?? 0) + 1,
    firstSequence: before === undefined ? 1 : before.firstSequence + before.count,
    count: events.length,
    root: toHex(merkleRoot(sha256, leaves)),
    previousHash: before?.hash ?? GENESIS_HASH,
    sealedAt: at.toISOString(),
  };
  const hash = blockHash(sha256, said);
  const signature = (await signer.sign(Buffer.from(hash, 'hex'))).toString('base64url');
  const eventIds = events.map(({ id }) => id);
  return { ...said, hash, keyId: signer.keyId, signature, eventIds, leaves };
}

/**
 * Takes the next events off the queue, oldest first. Ids and events are two statements, so that each is a walk in an
 * index whatever the planner thinks of the tables.
 */
async function takeUnsealed(tx: Transaction, limit: number): Promise<AuditRecord[]> {
  const { rows: taken } = await tx.execute(sql`
    delete from audit_unsealed where event_id = any(array(
      select event_id from (
        select event_id, sum(1 + cardinality(further)) over (order by event_id) - cardinality(further) as position
        from (select * from audit_unsealed order by event_id limit ${limit}) next) counted
      where position <= ${limit}))
    returning event_id || further as ids`);
  if (taken.length === 0) return [];
  const ids = (taken as unknown as { ids: string[] }[]).flatMap((row) => row.ids).toSorted();
  await putBack(tx, ids.splice(limit));
  return readSealedRecords(tx, ids);
}

/** What the last row taken holds beyond the batch. */
async function putBack(tx: Transaction, [first, ...further]: readonly string[]): Promise<void> {
  if (first === undefined) return;
  await tx.execute(sql`
    insert into audit_unsealed (event_id, further) values (${first}, ${sql.param(further)}::uuid[])`);
}
