import { newId } from '@deviceportal/contract/ids';
import type { MessageChannel } from '@deviceportal/identity/messenger';
import type { Transaction } from '../platform/database/database.ts';
import type { DeliveryDependencies } from './deliver-message.ts';
import { insertMessage } from './data/message-queries.ts';
import type { RenderedMessage } from './render-message.ts';

/** A rendered message for one recipient. */
export interface Notice extends RenderedMessage {
  readonly to: string;
  readonly channel: MessageChannel;
  /** The type of message, for metrics and the audit trail. */
  readonly kind: string;
  /** The recipient's `sub`; null for an address that belongs to no user. */
  readonly person: string | null;
}

/** Queues notices for sending in the caller's transaction. */
export interface NoticeQueue {
  /** Whether messages can be sent by this channel. */
  readonly has: (channel: MessageChannel) => boolean;
  readonly queue: (tx: Transaction, notice: Notice) => Promise<void>;
}

const DAY_MS = 86_400_000;

/** Queues notices with the messages for the mail server or text message gateway; jobs send them. */
export function createNoticeQueue(
  delivery: Pick<DeliveryDependencies, 'clock' | 'seal' | 'planAttempt'> & {
    readonly channels: Readonly<Partial<Record<MessageChannel, unknown>>>;
  },
): NoticeQueue {
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
        // Not claimed yet: the job makes the first attempt.
        freeAt: createdAt,
        expiresAt: new Date(createdAt.getTime() + DAY_MS),
      });
      await planAttempt(tx, id, createdAt);
    },
  };
}
