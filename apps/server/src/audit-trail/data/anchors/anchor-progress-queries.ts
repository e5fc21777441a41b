import { and, asc, eq, lte, max, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalNow } from '../../../platform/columns.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { isoOrNull } from '../../../platform/moment-cursor.ts';
import type { AnchorName } from '../../anchors/anchor-target.ts';
import { auditAnchorProgress, auditBlock } from '../audit-trail-tables.ts';

const { target, delivered, attempts, nextAt, error } = auditAnchorProgress;
const build = new QueryBuilder();

/** Adds destinations that are not known yet, from the newest block on: it contains the hashes of all earlier blocks. */
export async function ensureAnchorProgress(
  on: Executor,
  targets: readonly AnchorName[],
): Promise<void> {
  const newest = build.select({ number: max(auditBlock.number) }).from(auditBlock);
  await on
    .insert(auditAnchorProgress)
    .values(
      targets.map((name) => ({
        target: name,
        delivered: sql`coalesce((${newest}) - 1, 0)`,
        nextAt: portalNow,
      })),
    )
    .onConflictDoNothing({ target });
}

/**
 * Locks a destination for the next delivery, and returns its last delivered block. Undefined while another server
 * delivers to it, and before its next delivery is due. A position beyond the end of the chain (the chain was truncated,
 * or the position changed) starts over with the newest block.
 */
export async function lockAnchorProgress(tx: Transaction, name: AnchorName, now: Date) {
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
    .where(and(eq(target, name), lte(nextAt, now)))
    .for('update', { of: auditAnchorProgress, skipLocked: true });
  return found;
}

export async function saveDelivery(
  tx: Transaction,
  name: AnchorName,
  delivery: { readonly delivered: number; readonly nextAt: Date },
): Promise<void> {
  await tx
    .update(auditAnchorProgress)
    .set({ ...delivery, attempts: 0, error: null })
    .where(eq(target, name));
}

export async function saveAnchorFailure(
  tx: Transaction,
  name: AnchorName,
  failure: { readonly error: string; readonly nextAt: Date },
): Promise<void> {
  await tx
    .update(auditAnchorProgress)
    .set({ ...failure, attempts: sql`${attempts} + 1` })
    .where(eq(target, name));
}

export type AnchorState = Awaited<ReturnType<typeof readAnchorStates>>[number];

/** `waitingSince`: when the oldest undelivered block was sealed; null if all are delivered. */
export async function readAnchorStates(on: Executor, targets: readonly AnchorName[]) {
  const waiting = build
    .select({ sealedAt: auditBlock.sealedAt })
    .from(auditBlock)
    .where(sql`${auditBlock.number} = ${delivered} + 1`);
  const rows = await on
    .select({ target, delivered, error, waitingSince: sql<string | null>`(${waiting})` })
    .from(auditAnchorProgress)
    .where(isAnyOf(target, targets))
    .orderBy(asc(target));
  return rows.map((row) => ({ ...row, waitingSince: isoOrNull(row.waitingSince) }));
}
