import { desc, eq, inArray, sql } from 'drizzle-orm';
import type { MessageChannel } from '@deviceportal/identity/messenger';
import type { Executor } from '../../platform/database/database.ts';
import { outboxMessage } from './outbox-tables.ts';

export interface OutboxMessage {
  readonly id: string;
  readonly to: string;
  readonly channel: MessageChannel;
  readonly subject: string;
  readonly text: string;
  readonly code: string | null;
  /** ISO 8601. */
  readonly sentAt: string;
}

export interface NewOutboxMessage extends OutboxMessage {
  /** Null for text messages. */
  readonly html: string | null;
}

const KEPT_MESSAGES = 200;
const SHOWN_MESSAGES = 50;

export async function insertOutboxMessage(
  on: Executor,
  { to: recipient, sentAt, ...message }: NewOutboxMessage,
): Promise<void> {
  await on.insert(outboxMessage).values({ ...message, recipient, sentAt: new Date(sentAt) });
}

/** Keeps the newest messages. */
export async function deleteOldOutboxMessages(on: Executor): Promise<void> {
  const old = on
    .select({ id: outboxMessage.id })
    .from(outboxMessage)
    .orderBy(desc(outboxMessage.sentAt), desc(outboxMessage.id))
    .offset(KEPT_MESSAGES);
  await on.delete(outboxMessage).where(inArray(outboxMessage.id, old));
}

/** Newest first. */
export async function findOutboxMessages(
  on: Executor,
  to: string | undefined,
): Promise<OutboxMessage[]> {
  const rows = await on
    .select({
      id: outboxMessage.id,
      to: outboxMessage.recipient,
      channel: outboxMessage.channel,
      subject: outboxMessage.subject,
      text: outboxMessage.text,
      code: outboxMessage.code,
      sentAt: outboxMessage.sentAt,
    })
    .from(outboxMessage)
    .where(to === undefined ? undefined : sql`lower(${outboxMessage.recipient}) = lower(${to})`)
    .orderBy(desc(outboxMessage.sentAt), desc(outboxMessage.id))
    .limit(SHOWN_MESSAGES);
  return rows.map((row) => ({ ...row, sentAt: row.sentAt.toISOString() }));
}

/** The HTML of an email; undefined for text messages and unknown ids. */
export async function findOutboxMail(on: Executor, id: string): Promise<string | undefined> {
  const [row] = await on
    .select({ html: outboxMessage.html })
    .from(outboxMessage)
    .where(eq(outboxMessage.id, id));
  return row?.html ?? undefined;
}
