import { and, desc, eq, inArray, lte, max, or, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalNow } from '../../../platform/columns.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { isoOrNull } from '../../../platform/moment-cursor.ts';
import type { AnchorName } from '../../anchors/anchor-target.ts';
import { auditAnchorProgress, auditBlock } from '../audit-trail-tables.ts';

const { target, delivered, attempts, nextAt, error } = auditAnchorProgress;
const build = new QueryBuilder();

/**
 * Adds a destination that is not known yet, after its last block. Without one, it begins with the newest block, which
 * contains the hashes of all earlier blocks.
 */
export async function ensureAnchorProgress(
  on: Executor,
  position: string,
  last?: number,
): Promise<void> {
  const newest = build.select({ number: max(auditBlock.number) }).from(auditBlock);
  const begin = last === undefined ? sql`(${newest}) - 1` : sql`least(${last}, (${newest}))`;
  await on
    .insert(auditAnchorProgress)
    .values({ target: position, delivered: sql`coalesce(${begin}, 0)`, nextAt: portalNow })
    .onConflictDoNothing({ target });
}

/**
 * Locks a destination for the next delivery, and returns its last delivered block. Undefined while another server
 * delivers to it, and before its next delivery is due. A position beyond the end of the chain (the chain was truncated,
 * or the position changed) starts over with the newest block.
 */
export async function lockAnchorProgress(tx: Transaction, position: string, now: Date) {
  const newest = build
    .select({ number: sql<number>`coalesce(max(${auditBlock.number}), 1)`.as('newest') })
    .from(auditBlock)
    .as('newest_block');
  const [found] = await tx
    .select({
      delivered: sql<number>`least(${delivered},
        case when ${delivered} > ${newest.number} then ${newest.number} - 1 end)::float8`,
      attempts,
    })
    .from(auditAnchorProgress)
    .crossJoin(newest)
    .where(and(eq(target, position), lte(nextAt, now)))
    .for('update', { of: auditAnchorProgress, skipLocked: true });
  return found;
}

export async function saveDelivery(
  tx: Transaction,
  position: string,
  delivery: { readonly delivered: number; readonly nextAt: Date },
): Promise<void> {
  await tx
    .update(auditAnchorProgress)
    .set({ ...delivery, attempts: 0, error: null })
    .where(eq(target, position));
}

export async function saveAnchorFailure(
  tx: Transaction,
  position: string,
  failure: { readonly error: string; readonly nextAt: Date },
): Promise<void> {
  await tx
    .update(auditAnchorProgress)
    .set({ ...failure, attempts: sql`${attempts} + 1` })
    .where(eq(target, position));
}

export type AnchorState = Awaited<ReturnType<typeof readAnchorStates>>[number];

/**
 * States by positions or names. Of several servers' destinations of one name, the one with the newest block counts.
 * `waitingSince`: when the oldest undelivered block was sealed; null if all are delivered.
 */
export async function readAnchorStates(on: Executor, positions: readonly string[]) {
  const name = sql<AnchorName>`split_part(${target}, '@', 1)`;
  const waiting = build
    .select({ sealedAt: auditBlock.sealedAt })
    .from(auditBlock)
    .where(sql`${auditBlock.number} = ${delivered} + 1`);
  const rows = await on
    .selectDistinctOn([name], {
      target: name,
      delivered,
      error,
      waitingSince: sql<string | null>`(${waiting})`,
    })
    .from(auditAnchorProgress)
    .where(or(inArray(target, [...positions]), inArray(name, [...positions])))
    .orderBy(name, desc(delivered));
  return rows.map((row) => ({ ...row, waitingSince: isoOrNull(row.waitingSince) }));
}
