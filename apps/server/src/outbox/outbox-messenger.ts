import { newId } from '@deviceportal/contract/ids';
import type { Messenger, OutgoingMessage } from '@deviceportal/identity/messenger';
import { renderMessage } from '../messages/render-message.ts';
import type { Database } from '../platform/database/database.ts';
import {
  deleteOldOutboxMessages,
  insertOutboxMessage,
  type OutboxMessage,
} from './data/outbox-queries.ts';

export interface OutboxMessengerOptions {
  readonly database: Database;
  readonly clock: () => Date;
  /** Adds what the installation knows of the reader and the sender did not: language, time zone. */
  readonly completeReader: (message: OutgoingMessage) => Promise<OutgoingMessage>;
}

/** Keeps messages on this machine instead of sending them; `onSent` may show them in the terminal. */
export function createOutboxMessenger(
  { database: { orm }, clock, completeReader }: OutboxMessengerOptions,
  onSent: (message: OutboxMessage) => void,
): Messenger {
  return {
    async send(message) {
      const { to, channel, code = null } = message;
      const { subject, text, html = null } = renderMessage(await completeReader(message));
      const kept = { id: newId(), to, channel, subject, text, code, sentAt: clock().toISOString() };
      await insertOutboxMessage(orm, { ...kept, html });
      await deleteOldOutboxMessages(orm);
      onSent(kept);
    },
  };
}
