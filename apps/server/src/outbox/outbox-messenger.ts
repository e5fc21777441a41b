import { sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import type { Messenger } from '@deviceportal/identity-service/messenger';
import type { Database } from '../platform/database/database.ts';

export interface OutboxMessage {
  readonly to: string;
  readonly channel: string;
  readonly subject: string;
  readonly text: string;
  readonly code: string | null;
  readonly sentAt: string;
}

const KEPT_MESSAGES = 200;

/** Keeps messages on this machine instead of sending them; `onSent` may show them in the terminal. */
export function createOutboxMessenger(
  { database, clock }: { database: Database; clock: () => Date },
  onSent: (message: OutboxMessage) => void,
): Messenger {
  return {
    async send({ to, channel, subject, text, code }) {
      const sentAt = clock().toISOString();
      await database.orm.execute(sql`
        insert into outbox_message (id, recipient, channel, subject, text, code, sent_at)
        values (${newId()}, ${to}, ${channel}, ${subject}, ${text}, ${code ?? null}, ${sentAt})`);
      await database.orm.execute(sql`
        delete from outbox_message where id in
          (select id from outbox_message order by sent_at desc, id desc offset ${KEPT_MESSAGES})`);
      onSent({ to, channel, subject, text, code: code ?? null, sentAt });
    },
  };
}

/** Newest first. */
export async function listOutboxMessages(
  database: Database,
  to: string | undefined,
): Promise<OutboxMessage[]> {
  const { rows } = await database.orm.execute<Record<string, never>>(sql`
    select recipient as "to", channel, subject, text, code,
           to_char(sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "sentAt"
    from outbox_message
    where ${to ?? null}::text is null or lower(recipient) = lower(${to ?? null}::text)
    order by sent_at desc, id desc limit 50`);
  return rows as unknown as OutboxMessage[];
}
