import { sql } from 'drizzle-orm';
import { leafHash, recordValues, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { toHex } from '@deviceportal/audit-proof/hashing';
import type { TrailNotes } from '@deviceportal/audit-proof/trail-notes';
import type { Database, Executor } from '../../platform/database/database.ts';
import { fitsTheTime } from '../event-time.ts';
import { proofTools } from '../export/proof-tools.ts';
import { sealedFields } from './sealed-record.ts';

export interface UnsealedEvents {
  /** Events that are neither sealed nor queued: written around the trigger, or their seal or queue entry was removed. */
  readonly strays: number;
  /** Events that have been queued for longer than 15 minutes. */
  readonly overdue: number;
  /** Events that the seal refused because their recorded time did not fit, as a sealed event says. */
  readonly refused: number;
}

const OVERDUE_MINUTES = 15;
const STRAYS_READ = 10_000;

type Stray = AuditRecord & { readonly total: number };

/** Events without a seal, by why they have none. */
export async function countUnsealed(
  database: Database,
  notes: Pick<TrailNotes, 'refused'>,
): Promise<UnsealedEvents> {
  const strays = await readStrays(database);
  const refused = strays.filter((event) => isRefused(event, notes)).length;
  return {
    strays: (strays[0]?.total ?? 0) - refused,
    overdue: await countOverdue(database),
    refused,
  };
}

/** Files that queued events say a month became. */
export async function readQueuedArchives(executor: Executor): Promise<ReadonlySet<string>> {
  const { rows } = await executor.execute(sql`
    select e.data ->> 'file' as file from audit_unsealed q
    cross join lateral unnest(q.event_id || q.further) as queued(id) join audit_event e on e.id = queued.id
    where e.type = 'audit-trail.month-archived'`);
  return new Set((rows as unknown as { file: string }[]).map(({ file }) => file));
}

/** One statement sees one moment: an event that is being sealed right now stands in one of the two. */
async function readStrays({ orm }: Database): Promise<Stray[]> {
  const { rows } = await orm.execute(sql`
    with known as materialized (
      select unnest(event_ids) as id from audit_block
      union all select event_id from audit_unsealed union all select unnest(further) from audit_unsealed)
    select ${sealedFields}, count(*) over ()::float8 as total from audit_event e
    where not exists (select from known where known.id = e.id) limit ${STRAYS_READ}`);
  return rows as unknown as Stray[];
}

/** The event is the one that was refused, and its time is a reason. */
function isRefused(event: AuditRecord, { refused }: Pick<TrailNotes, 'refused'>): boolean {
  const noted = refused.get(event.id);
  if (noted === undefined) return false;
  const { sealedAt } = noted;
  return (
    toHex(leafHash(proofTools.sha256, recordValues(event))) === noted.digest &&
    !fitsTheTime(event, { now: new Date(sealedAt), before: { sealedAt, reached: sealedAt } })
  );
}

async function countOverdue({ orm }: Database): Promise<number> {
  const before = new Date(Date.now() - OVERDUE_MINUTES * 60_000).toISOString();
  const { rows } = await orm.execute(sql`
    select count(*)::float8 as overdue from audit_unsealed q cross join lateral unnest(q.event_id || q.further) as queued(id)
    join audit_event e on e.id = queued.id where e.at < ${before}::timestamptz`);
  return (rows[0] as { overdue: number }).overdue;
}
