import { inArray } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { outboxMessage } from './outbox-tables.ts';

/** Messages in the local outbox to any of these addresses and numbers. */
export async function eraseOutbox(tx: Transaction, recipients: readonly string[]): Promise<number> {
  if (recipients.length === 0) return 0;
  const { rowCount } = await tx
    .delete(outboxMessage)
    .where(inArray(outboxMessage.recipient, [...recipients]));
  return rowCount ?? 0;
}
