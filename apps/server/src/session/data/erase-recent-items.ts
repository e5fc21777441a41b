import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { recentItem } from './session-tables.ts';

/** What users opened lately carries names: of an item that is erased it goes. */
export async function eraseRecentItems(
  tx: Transaction,
  { kind, itemId }: { readonly kind: 'person'; readonly itemId: string },
): Promise<void> {
  await tx.delete(recentItem).where(and(eq(recentItem.kind, kind), eq(recentItem.itemId, itemId)));
}
