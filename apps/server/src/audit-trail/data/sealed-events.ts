import { desc, lt, max, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Executor } from '../../platform/database/database.ts';
import { auditBlock } from './audit-trail-tables.ts';

/** The next event IDs in the order of sealing, which late commits do not change. */
export function sealedEvents(after: number, limit: number) {
  const sequence = sql<number>`${auditBlock.firstSequence} + sealed.position - 1`;
  return new QueryBuilder()
    .select({
      sequence: sql<number>`(${sequence})::float8`.as('sealed_sequence'),
      eventId: sql<string>`sealed.event_id`.as('sealed_event_id'),
    })
    .from(auditBlock)
    .crossJoinLateral(
      sql`unnest(${auditBlock.eventIds}) with ordinality as sealed(event_id, position)`,
    )
    .where(sql`${auditBlock.lastSequence} > ${after} and ${sequence} > ${after}`)
    .orderBy(sql`${auditBlock.lastSequence}, sealed.position`)
    .limit(limit)
    .as('sealed_event');
}

/** Sequence of the newest sealed event; 0 before the first. */
export async function lastSealedSequence(on: Executor): Promise<number> {
  const [found] = await on.select({ sequence: max(auditBlock.lastSequence) }).from(auditBlock);
  return found?.sequence ?? 0;
}

/** Sequence of the newest event that was sealed before a time; 0 if there is none. */
export async function lastSequenceBefore(on: Executor, at: Date): Promise<number> {
  const [found] = await on
    .select({ sequence: auditBlock.lastSequence })
    .from(auditBlock)
    .where(lt(auditBlock.sealedAt, at))
    .orderBy(desc(auditBlock.number))
    .limit(1);
  return found?.sequence ?? 0;
}
