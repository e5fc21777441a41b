import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { outgoingMessage } from './message-tables.ts';

/** Messages to a user, sent or not. */
export async function eraseMessages(tx: Transaction, subject: string): Promise<number> {
  const { rowCount } = await tx.delete(outgoingMessage).where(eq(outgoingMessage.person, subject));
  return rowCount ?? 0;
}
