import { eq } from 'drizzle-orm';
import type { RowWalk } from '../../personal-data/tables-of-users.ts';
import { outgoingMessage } from './message-tables.ts';

/** Deletes the messages to a user, sent or not. */
export const messageWalk = (subject: string): RowWalk => ({
  table: outgoingMessage,
  matches: eq(outgoingMessage.person, subject),
});
