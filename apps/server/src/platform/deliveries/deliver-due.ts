import { retryDelayMs } from './retry-policy.ts';
import {
  inTransaction,
  type Database,
  type Executor,
  type Transaction,
} from '../database/database.ts';
import type { Attempt, AttemptEnd } from './delivery-outbox.ts';
import { sendFailure, type SendFailure } from './send-failure.ts';

/** Deliveries that a server sends at the same time. */
const AT_ONCE = 10;
/** With the pauses between them, a bit more than a day. */
const MOST_ATTEMPTS = 55;

export interface DeliveryRound<Delivery extends Attempt> {
  readonly database: Database;
  readonly clock: () => Date;
  /** Longer than an attempt takes. If this server is killed, another one continues after it. */
  readonly attemptMs: number;
  readonly outbox: {
    readonly claim: (
      on: Executor,
      due: { readonly now: Date; readonly until: Date; readonly limit: number },
    ) => Promise<readonly Delivery[]>;
    readonly end: (on: Executor, attempt: Attempt, set: AttemptEnd) => Promise<boolean>;
  };
  /** Sends a delivery and ends its attempt; the failure, if it was not sent. */
  readonly send: (delivery: Delivery) => Promise<SendFailure | null>;
  /** In the transaction in which a delivery is given up. */
  readonly onFailed: (tx: Transaction, delivery: Delivery, reason: string) => Promise<void>;
}

/** Sends the deliveries that are due. @returns their number */
export async function deliverDue<Delivery extends Attempt>(
  round: DeliveryRound<Delivery>,
): Promise<number> {
  const now = round.clock();
  const until = new Date(now.getTime() + round.attemptMs);
  const claimed = await round.outbox.claim(round.database.orm, { now, until, limit: AT_ONCE });
  await Promise.all(claimed.map((delivery) => attempt(round, delivery)));
  return claimed.length;
}

async function attempt<Delivery extends Attempt>(
  round: DeliveryRound<Delivery>,
  delivery: Delivery,
): Promise<void> {
  const failure = await round.send(delivery).catch((error: unknown) => sendFailure({ error }));
  if (failure !== null) await keepFailure(round, delivery, failure);
}

/** Plans a further attempt, or gives the delivery up. */
async function keepFailure<Delivery extends Attempt>(
  { database, clock, outbox, onFailed }: DeliveryRound<Delivery>,
  delivery: Delivery,
  { reason, isFinal }: SendFailure,
): Promise<void> {
  const at = clock();
  if (!isFinal && delivery.attempts < MOST_ATTEMPTS) {
    const freeAt = new Date(at.getTime() + retryDelayMs(delivery.attempts));
    await outbox.end(database.orm, delivery, { state: 'waiting', lastError: reason, freeAt });
    return;
  }
  await inTransaction(database, async (tx) => {
    const set = { state: 'failed', lastError: reason, endedAt: at } as const;
    if (await outbox.end(tx, delivery, set)) await onFailed(tx, delivery, reason);
  });
}
