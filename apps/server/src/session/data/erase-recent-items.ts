import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { recentItem } from './session-tables.ts';

/** Recently opened items contain names: those of an erased item are deleted. */
export async function eraseRecentItems(
  tx: Transaction,
  { kind, itemId }: { readonly kind: 'person'; readonly itemId: string },
): Promise<void> {
  await tx.delete(recentItem).where(and(eq(recentItem.kind, kind), eq(recentItem.itemId, itemId)));
}
