import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { portalUser } from './access-tables.ts';

/** Locks the row of a user until the transaction ends, to serialize the user's changes in several tabs. */
export async function lockUser(tx: Transaction, userId: string): Promise<void> {
  await tx
    .select({ id: portalUser.id })
    .from(portalUser)
    .where(eq(portalUser.id, userId))
    .for('no key update');
}
