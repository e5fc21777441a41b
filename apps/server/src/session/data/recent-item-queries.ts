import { and, desc, eq, sql } from 'drizzle-orm';
import type { RecentItem } from '@deviceportal/contract/session';
import type { Executor } from '../../platform/database/database.ts';
import { recentItem } from './session-tables.ts';

const KEPT_ITEMS = 20;

export async function rememberItem(
  on: Executor,
  userId: string,
  { kind, id: itemId, label }: Omit<RecentItem, 'at'>,
): Promise<void> {
  await on
    .insert(recentItem)
    .values({ userId, kind, itemId, label })
    .onConflictDoUpdate({
      target: [recentItem.userId, recentItem.kind, recentItem.itemId],
      set: { label: sql`excluded.label`, at: sql`excluded.at` },
    });
  const old = on
    .select({ kind: recentItem.kind, itemId: recentItem.itemId })
    .from(recentItem)
    .where(eq(recentItem.userId, userId))
    .orderBy(desc(recentItem.at))
    .offset(KEPT_ITEMS);
  await on
    .delete(recentItem)
    .where(
      and(eq(recentItem.userId, userId), sql`(${recentItem.kind}, ${recentItem.itemId}) in ${old}`),
    );
}

/** Newest first. */
export async function listRecentItems(on: Executor, userId: string): Promise<RecentItem[]> {
  const rows = await on
    .select({
      kind: recentItem.kind,
      id: recentItem.itemId,
      label: recentItem.label,
      at: recentItem.at,
    })
    .from(recentItem)
    .where(eq(recentItem.userId, userId))
    .orderBy(desc(recentItem.at))
    .limit(KEPT_ITEMS);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
