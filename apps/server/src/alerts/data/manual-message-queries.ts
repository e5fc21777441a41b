import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { alertManualMessage } from './alerts-tables.ts';

export type ManualMessage = typeof alertManualMessage.$inferInsert;

export async function insertManualMessages(
  tx: Transaction,
  messages: readonly ManualMessage[],
): Promise<void> {
  if (messages.length > 0) await tx.insert(alertManualMessage).values([...messages]);
}

const lastDay = (at: Date): SQL =>
  sql`${alertManualMessage.sentAt} > ${at.toISOString()}::timestamptz - interval '1 day'`;

export const manualMessagesOf = (userId: string, at: Date): SQL =>
  sql`select from ${alertManualMessage} where ${alertManualMessage.userId} = ${userId} and ${lastDay(at)}`;

/** From all users. */
export const manualMessagesTo = (address: string, at: Date): SQL =>
  sql`select from ${alertManualMessage} where ${alertManualMessage.address} = ${address} and ${lastDay(at)}`;
