import { newId } from '@deviceportal/contract/ids';
import type { MessageChannel } from '@deviceportal/identity/messenger';
import type { Transaction } from '../platform/database/database.ts';
import type { DeliveryDependencies } from './deliver-message.ts';
import { insertMessage } from './data/message-queries.ts';
import type { RenderedMessage } from './render-message.ts';

/** A message whose words are ready, for one person. */
export interface Notice extends RenderedMessage {
  readonly to: string;
  readonly channel: MessageChannel;
  /** For figures and the audit trail: what kind of message it is. */
  readonly kind: string;
  /** The reader's `sub`. */
  readonly person: string;
}

/** Hands notices to the outbox, which has them when, and only when, the transaction commits. */
export interface NoticeQueue {
  /** Whether messages of this kind can be sent at all. */
  readonly has: (channel: MessageChannel) => boolean;
  readonly queue: (tx: Transaction, notice: Notice) => Promise<void>;
}

const DAY_MS = 86_400_000;

/** Into the messages that wait for the mail server or the text-message gateway; jobs send them. */
export function createNoticeQueue(delivery: DeliveryDependencies): NoticeQueue {
  const { channels, clock, seal, planAttempt } = delivery;
  return {
    has: (channel) => channels[channel] !== undefined,
    async queue(tx, { to, channel, kind, person, subject, text, html }) {
      const createdAt = clock();
      const id = newId(createdAt.getTime());
      await insertMessage(tx, {
        id,
        channel,
        kind,
        person,
        recipientHash: seal.hashRecipient(to),
        sealed: seal.seal(id, { to, subject, text, html }),
        repeatable: true,
        createdAt,
        // Nobody has it yet: the first attempt is the job's.
        freeAt: createdAt,
        expiresAt: new Date(createdAt.getTime() + DAY_MS),
      });
      await planAttempt(tx, id, createdAt);
    },
  };
}
