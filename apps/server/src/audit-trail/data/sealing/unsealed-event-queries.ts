import { count, eq, lt, sql } from 'drizzle-orm';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { selectList, selectRows } from '../../../platform/database/select-rows.ts';
import { auditBlock, auditEvent, auditUnsealed } from '../audit-trail-tables.ts';
import { recordList } from './sealed-record-queries.ts';

const { eventId, further } = auditUnsealed;

const idList = selectList({ id: sql<string>`queued.id` });

/** The next IDs of the queue, the oldest rows first, sorted. They leave it when their block is inserted. */
export async function findNextUnsealed(tx: Transaction, limit: number): Promise<string[]> {
  const found = await selectRows(
    tx,
    idList,
    (list) => sql`
      select ${list}
      from (select * from ${auditUnsealed} order by ${eventId} limit ${limit}) ${auditUnsealed}
      cross join lateral unnest(${eventId} || ${further}) with ordinality as queued(id, place)
      order by ${eventId}, queued.place limit ${limit}`,
  );
  return found.map(({ id }) => id).toSorted();
}

export async function hasUnsealed(on: Executor): Promise<boolean> {
  const found = await on.select({ eventId }).from(auditUnsealed).limit(1);
  return found.length > 0;
}

/** Each queued ID, as `queued.id`. */
const queued = sql`unnest(${eventId} || ${further}) as queued(id)`;
const isQueued = sql`${auditEvent.id} = queued.id`;

export async function countQueuedBefore(on: Executor, at: Date): Promise<number> {
  const [found] = await on
    .select({ events: count() })
    .from(auditUnsealed)
    .crossJoinLateral(queued)
    .innerJoin(auditEvent, isQueued)
    .where(lt(auditEvent.at, at));
  return found?.events ?? 0;
}

/** Files that queued events of archived months name. */
export async function findQueuedArchives(on: Executor): Promise<ReadonlySet<string>> {
  const found = await on
    .select({ file: sql<string>`${auditEvent.data} ->> 'file'` })
    .from(auditUnsealed)
    .crossJoinLateral(queued)
    .innerJoin(auditEvent, isQueued)
    .where(eq(auditEvent.type, 'audit-trail.month-archived' satisfies AuditType));
  return new Set(found.map(({ file }) => file));
}

/**
 * Events that are neither sealed nor queued, each with the number of all of them. One statement reads one snapshot: an
 * event that is being sealed is in the queue or in a block.
 */
export const findStrays = (on: Executor, limit: number) =>
  selectRows(
    on,
    recordList.with({ total: sql<number>`count(*) over ()::float8` }),
    (list) => sql`
      with known as materialized (
        select unnest(${auditBlock.eventIds}) as id from ${auditBlock}
        union all select ${eventId} from ${auditUnsealed}
        union all select unnest(${further}) from ${auditUnsealed})
      select ${list} from ${auditEvent}
      where not exists (select from known where known.id = ${auditEvent.id}) limit ${limit}`,
  );

interface Period {
  readonly since: Date;
  readonly until: Date;
}

/** Queues events of a period whose queue entry is missing, and returns how many. */
export async function requeueEvents(on: Executor, { since, until }: Period): Promise<number> {
  const [found] = await on
    .select({ events: sql<number>`events::float8` })
    .from(
      sql`requeue_audit_events(${since.toISOString()}::timestamptz, ${until.toISOString()}::timestamptz) as events`,
    );
  return found?.events ?? 0;
}

/** An event that is not sealed because its recorded time does not fit. */
export interface RefusedEvent {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  /** Hash of the event, hexadecimal. */
  readonly digest: string;
}

/**
 * Removes events from the queue and records which they are.
 *
 * @param missing IDs of the queue without an event
 */
export async function refuseEvents(
  tx: Transaction,
  refused: readonly RefusedEvent[],
  missing: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    select refuse_audit_events(${JSON.stringify(refused)}::jsonb, ${sql.param([...missing])}::uuid[])`);
}
