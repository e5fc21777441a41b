import { inArray } from 'drizzle-orm';
import type { RowWalk } from '../../personal-data/tables-of-users.ts';
import { outboxMessage } from './outbox-tables.ts';

/** Deletes the messages in the local outbox to any of these addresses and numbers. */
export const outboxWalk = (recipients: readonly string[]): RowWalk => ({
  table: outboxMessage,
  matches: inArray(outboxMessage.recipient, [...recipients]),
});
