import { sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import type { Messenger, OutgoingMessage } from '@deviceportal/identity-service/messenger';
import { renderMessage } from '../messages/render-message.ts';
import type { Database } from '../platform/database/database.ts';

export interface OutboxMessage {
  readonly id: string;
  readonly to: string;
  readonly channel: string;
  readonly subject: string;
  readonly text: string;
  readonly code: string | null;
  readonly sentAt: string;
}

const KEPT_MESSAGES = 200;

export interface OutboxMessengerOptions {
  readonly database: Database;
  readonly clock: () => Date;
  /** Adds what the installation knows of the reader and the sender did not: language, time zone. */
  readonly completeReader: (message: OutgoingMessage) => Promise<OutgoingMessage>;
}

/** Keeps messages on this machine instead of sending them; `onSent` may show them in the terminal. */
export function createOutboxMessenger(
  { database, clock, completeReader }: OutboxMessengerOptions,
  onSent: (message: OutboxMessage) => void,
): Messenger {
  return {
    async send(message) {
      const { to, channel, code = null } = message;
      const { subject, text, html = null } = renderMessage(await completeReader(message));
      const id = newId();
      const sentAt = clock().toISOString();
      await database.orm.execute(sql`
        insert into outbox_message (id, recipient, channel, subject, text, html, code, sent_at)
        values (${id}, ${to}, ${channel}, ${subject}, ${text}, ${html}, ${code}, ${sentAt})`);
      await database.orm.execute(sql`
        delete from outbox_message where id in
          (select id from outbox_message order by sent_at desc, id desc offset ${KEPT_MESSAGES})`);
      onSent({ id, to, channel, subject, text, code, sentAt });
    },
  };
}

/** Newest first. */
export async function listOutboxMessages(
  database: Database,
  to: string | undefined,
): Promise<OutboxMessage[]> {
  const { rows } = await database.orm.execute<Record<string, never>>(sql`
    select id, recipient as "to", channel, subject, text, code,
           to_char(sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "sentAt"
    from outbox_message
    where ${to ?? null}::text is null or lower(recipient) = lower(${to ?? null}::text)
    order by sent_at desc, id desc limit 50`);
  return rows as unknown as OutboxMessage[];
}

/** The HTML of a mail; undefined for text messages and what is gone. */
export async function findOutboxMail(database: Database, id: string): Promise<string | undefined> {
  const { rows } = await database.orm.execute<{ html: string | null }>(
    sql`select html from outbox_message where id = ${id}`,
  );
  return rows[0]?.html ?? undefined;
}
