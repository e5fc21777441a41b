import { sql, type SQL } from 'drizzle-orm';
import {
  inTransaction,
  type Database,
  type Executor,
  type Transaction,
} from '../platform/database/database.ts';
import { GENESIS_HASH, sealHash, type SealedContent } from './audit-seal.ts';

type Unsealed = Omit<SealedContent, 'sequence'>;

/** The fields of `audit_event e` that a seal covers. */
export const sealedFields: SQL = sql`e.id, to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  e.device_id as "deviceId", e.type, e.actor_kind as "actorKind", e.actor_id as "actorId",
  e.actor_name as "actorName", e.actor_address as "actorAddress", e.case_id as "caseId",
  e.request_id as "requestId", e.run_id as "runId", e.data`;

/**
 * Seals the next committed events: sequence, hash and the hash before. Answers how many; zero when there is nothing
 * to do or another sealer is at work. Call it again while the batch is full.
 *
 * The sequence is the order of sealing, not of time, and the sealer alone gives it. So no row has to be waited for:
 * one whose transaction commits late is not visible now and is sealed in a later batch, with a later number. There
 * is never a hole, however long a transaction runs, and writers wait for nobody.
 */
export async function sealAuditTrail(
  { database }: { readonly database: Database },
  batchSize = 2_000,
): Promise<number> {
  return inTransaction(database, async (tx) => {
    const { rows: lock } = await tx.execute(
      sql`select pg_try_advisory_xact_lock(hashtext('seal-audit-trail')) as held`,
    );
    if (!(lock[0] as { held: boolean }).held) return 0;
    const events = await takeUnsealed(tx, batchSize);
    if (events.length === 0) return 0;
    let { sequence, hash } = await chainHead(tx);
    const seals = events.map((event) => {
      const previous = hash;
      sequence += 1;
      hash = sealHash({ ...event, sequence }, previous);
      return { id: event.id, sequence, hash, previous };
    });
    await tx.execute(sql`
      insert into audit_seal (sequence, event_id, hash, previous_hash)
      select sequence, event_id, decode(hash, 'hex'), decode(previous, 'hex')
      from unnest(${sql.param(seals.map((seal) => seal.sequence))}::bigint[],
                  ${sql.param(seals.map(({ id }) => id))}::uuid[],
                  ${sql.param(seals.map((seal) => seal.hash.toString('hex')))}::text[],
                  ${sql.param(seals.map((seal) => seal.previous.toString('hex')))}::text[])
           as seal(sequence, event_id, hash, previous)`);
    return seals.length;
  });
}

/**
 * Takes the next events off the queue, oldest first. Ids and events are two statements, so that each is a walk in an
 * index whatever the planner thinks of the tables.
 */
async function takeUnsealed(tx: Transaction, limit: number): Promise<Unsealed[]> {
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
  const { rows } = await tx.execute(sql`
    select ${sealedFields} from audit_event e where e.id = any(${sql.param(ids)}::uuid[]) order by e.id`);
  return rows as unknown as Unsealed[];
}

/** What the last row taken holds beyond the batch. */
async function putBack(tx: Transaction, [first, ...further]: readonly string[]): Promise<void> {
  if (first === undefined) return;
  await tx.execute(sql`
    insert into audit_unsealed (event_id, further) values (${first}, ${sql.param(further)}::uuid[])`);
}

async function chainHead(executor: Executor): Promise<{ sequence: number; hash: Buffer }> {
  const { rows } = await executor.execute(sql`
    select sequence::float8 as sequence, hash from audit_seal order by sequence desc limit 1`);
  return (
    (rows[0] as { sequence: number; hash: Buffer } | undefined) ?? {
      sequence: 0,
      hash: GENESIS_HASH,
    }
  );
}
