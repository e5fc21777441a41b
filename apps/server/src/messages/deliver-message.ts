import type { MessageChannel } from '@deviceportal/identity/messenger';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import type { Logger } from '../platform/logging.ts';
import { DeliveryError, type DeliveryChannel } from './delivery-channel.ts';
import type { MessageMetrics } from './message-metrics.ts';
import type { MessageSeal } from './message-seal.ts';
import {
  claimMessage,
  closeMessage,
  endAttempt,
  markHandingOver,
  type ClaimedMessage,
} from './data/message-queries.ts';
import type { MessageState } from './data/message-tables.ts';
import { retryDelayMs } from '../platform/deliveries/retry-policy.ts';

export interface DeliveryDependencies {
  readonly database: Database;
  readonly clock: () => Date;
  readonly seal: MessageSeal;
  readonly channels: Readonly<Partial<Record<MessageChannel, DeliveryChannel>>>;
  /** Duration of the claim of one attempt; longer than any channel takes. */
  readonly attemptMs: number;
  readonly metrics: MessageMetrics;
  readonly logger: Logger;
  /** The username of a `sub`. */
  readonly nameOf: (person: string) => Promise<string | undefined>;
  /** Schedules a further attempt in the transaction of the change. */
  readonly planAttempt: (tx: Transaction, id: string, at: Date) => Promise<void>;
}

/** Another attempt, a newer code, or the expiry has ended this attempt: the message must not be sent. */
class SupersededError extends Error {}

/**
 * Runs the next attempt of a message, if one is due. Any number of servers may call it at the same time.
 * @returns undefined if there was nothing to do
 */
export async function deliverMessage(
  dependencies: DeliveryDependencies,
  id: string,
): Promise<MessageState | undefined> {
  const { database, clock, attemptMs, planAttempt, metrics } = dependencies;
  const at = clock();
  const until = new Date(at.getTime() + attemptMs);
  const message = await inTransaction(database, async (tx) => {
    const claimed = await claimMessage(tx, { id, at, until });
    // If this server is killed, another one continues.
    if (claimed !== undefined) await planAttempt(tx, id, until);
    return claimed;
  });
  if (message !== undefined) return attemptDelivery(dependencies, message);
  const closed = await closeMessage(database.orm, { id, at });
  if (closed !== undefined) {
    const { channel, kind, state } = closed;
    metrics.ended.inc({ channel, kind, outcome: state });
  }
  return closed?.state;
}

/** One attempt at a message that the caller has claimed. */
export async function attemptDelivery(
  dependencies: DeliveryDependencies,
  message: ClaimedMessage,
): Promise<MessageState> {
  const { database, clock, channels, seal } = dependencies;
  const { id, channel, attempts, expiresAt } = message;
  try {
    const way = channels[channel];
    if (way === undefined) throw new DeliveryError('later', 'no gateway');
    const content = seal.open(id, message.sealed);
    await way.deliver({ ...content, id, expiresAt }, async () => {
      const isOurs = await markHandingOver(database.orm, { id, attempts, at: clock() });
      if (!isOurs) throw new SupersededError('The message must no longer be sent.');
    });
  } catch (error) {
    if (error instanceof SupersededError) return keep(dependencies, message, 'expired', null);
    if (!(error instanceof DeliveryError)) throw error;
    return keepFailure(dependencies, message, error);
  }
  return keep(dependencies, message, 'sent', null);
}

async function keepFailure(
  dependencies: DeliveryDependencies,
  message: ClaimedMessage,
  { failure, reason }: DeliveryError,
): Promise<MessageState> {
  const { logger, metrics } = dependencies;
  const { id, channel, kind, attempts } = message;
  metrics.failedAttempts.inc({ channel, reason });
  logger.warn(
    { messageId: id, channel, kind, attempt: attempts, failure, reason },
    'message delivery failed',
  );
  if (failure === 'refused') return keep(dependencies, message, 'refused', reason);
  // A code that may have arrived is not sent again: the user can request another one.
  if (failure === 'uncertain' && !message.repeatable) {
    return keep(dependencies, message, 'uncertain', reason);
  }
  return rest(dependencies, message, reason);
}

/** Waits until the next attempt; if that would be too late, ends the message. */
async function rest(
  dependencies: DeliveryDependencies,
  message: ClaimedMessage,
  reason: string,
): Promise<MessageState> {
  const { database, clock, planAttempt } = dependencies;
  const { id, attempts } = message;
  const at = clock();
  const freeAt = new Date(at.getTime() + retryDelayMs(attempts));
  if (freeAt >= message.expiresAt) return keep(dependencies, message, 'expired', reason);
  await inTransaction(database, async (tx) => {
    const isOurs = await endAttempt(tx, { id, attempts, state: 'waiting', reason, freeAt, at });
    if (isOurs) await planAttempt(tx, id, freeAt);
  });
  return 'waiting';
}

async function keep(
  { database, clock, metrics, nameOf }: DeliveryDependencies,
  message: ClaimedMessage,
  state: MessageState,
  reason: string | null,
): Promise<MessageState> {
  const { id, attempts, channel, kind, person } = message;
  const at = clock();
  const isRefused = state === 'refused';
  const username = isRefused && person !== null ? await nameOf(person) : undefined;
  const isOurs = await inTransaction(database, async (tx) => {
    const ended = await endAttempt(tx, { id, attempts, state, reason, freeAt: undefined, at });
    if (ended && isRefused) {
      await recordAudit(tx, [
        {
          type: 'access.message-refused',
          at,
          actor: systemActor,
          // Identifies the user, never the address.
          data: {
            channel,
            kind,
            reason,
            ...(person !== null && { subject: person }),
            ...(username !== undefined && { username }),
          },
        },
      ]);
    }
    return ended;
  });
  if (isOurs) metrics.ended.inc({ channel, kind, outcome: state });
  return state;
}
