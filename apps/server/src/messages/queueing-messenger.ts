import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@deviceportal/contract/ids';
import {
  MessageRefusedError,
  type Messenger,
  type OutgoingMessage,
} from '@deviceportal/identity/messenger';
import { inTransaction } from '../platform/database/database.ts';
import { attemptDelivery, type DeliveryDependencies } from './deliver-message.ts';
import { insertMessage, supersedeMessages, type ClaimedMessage } from './data/message-queries.ts';
import { renderMessage } from './render-message.ts';

const DAY_MS = 86_400_000;
/** A caller who requests a code gets a response after this time; the attempt continues. */
const RESPONSE_LIMIT_MS = 3_000;

export interface QueueingMessengerOptions extends DeliveryDependencies {
  /** Adds the language and time zone of the recipient that the installation knows. */
  readonly completeReader: (message: OutgoingMessage) => Promise<OutgoingMessage>;
}

/**
 * Stores every message in the database first, attempts to send it immediately, and leaves further attempts to jobs. A
 * rejection is reported to the caller if it occurs early. Disposing waits for the attempts of this process.
 */
export function createQueueingMessenger(
  options: QueueingMessengerOptions,
): Messenger & AsyncDisposable {
  const running = new Set<Promise<unknown>>();
  return {
    async send(message) {
      if (options.channels[message.channel] === undefined) {
        throw new Error(`No gateway for messages by ${message.channel} is configured.`);
      }
      const queued = await queueMessage(options, await options.completeReader(message));
      const attempt = attemptDelivery(options, queued).catch((error: unknown) => {
        options.logger.warn({ err: error, messageId: queued.id }, 'message delivery deferred');
        return 'waiting' as const;
      });
      running.add(attempt);
      void attempt.finally(() => running.delete(attempt));
      const state = await Promise.race([
        attempt,
        sleep(RESPONSE_LIMIT_MS, 'sending' as const, { ref: false }),
      ]);
      if (state === 'refused') throw new MessageRefusedError('The message was rejected.');
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running);
    },
  };
}

async function queueMessage(
  options: QueueingMessengerOptions,
  message: OutgoingMessage,
): Promise<ClaimedMessage> {
  const { database, clock, seal, attemptMs, planAttempt, metrics } = options;
  const createdAt = clock();
  const freeAt = new Date(createdAt.getTime() + attemptMs);
  const isCode = message.kind === 'code';
  const stored = {
    id: newId(createdAt.getTime()),
    channel: message.channel,
    kind: isCode ? message.purpose : message.kind,
    person: message.person ?? null,
    repeatable: !isCode,
    expiresAt: isCode ? message.expiresAt : new Date(createdAt.getTime() + DAY_MS),
  };
  const sealed = seal.seal(stored.id, { to: message.to, ...renderMessage(message) });
  const recipientHash = seal.hashRecipient(message.to);
  await inTransaction(database, async (tx) => {
    if (isCode) {
      const older = { recipientHash, kind: stored.kind, at: createdAt };
      const count = await supersedeMessages(tx, older);
      const { channel, kind } = stored;
      if (count > 0) metrics.ended.inc({ channel, kind, outcome: 'superseded' }, count);
    }
    await insertMessage(tx, { ...stored, recipientHash, sealed, createdAt, freeAt });
    await planAttempt(tx, stored.id, freeAt);
  });
  return { ...stored, sealed, attempts: 1 };
}
