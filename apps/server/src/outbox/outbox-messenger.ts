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
  /** Adds the language and time zone of the recipient that the installation knows. */
  readonly completeReader: (message: OutgoingMessage) => Promise<OutgoingMessage>;
}

/** Stores messages on this machine instead of sending them; `onSent` can show them in the terminal. */
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
