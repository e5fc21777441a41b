import { newId } from '@deviceportal/contract/ids';
import { WEBHOOK_LIMITS } from '@deviceportal/contract/webhooks';
import { lastSealedSequence } from '../audit-trail/data/sealed-events.ts';
import type { Change } from '../platform/change-feed.ts';
import { tryHoldUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { insertDeliveries } from './data/webhook-delivery-queries.ts';
import { readTrailAfter } from './data/trail-queries.ts';
import {
  lockBehind,
  lockPreparable,
  movePositions,
  type StoredWebhook,
} from './data/webhook-queries.ts';
import { webhookEventsOf, type WebhookEvent } from './event-sources.ts';
import { ownerOfWebhook } from './owner-of-webhook.ts';
import { pauseWebhook } from './pause-webhook.ts';
import { visibleEvents } from './visible-events.ts';
import type { SendWebhooksDeps } from './webhooks-deps.ts';

/** Entries of the audit trail that a round reads for a webhook. */
const ENTRIES = 2_000;
const DAY_MS = 86_400_000;

interface Prepared {
  readonly webhook: StoredWebhook;
  /** Events that its owner sees. */
  readonly events: readonly WebhookEvent[];
  readonly preparedUpTo: number;
}

/**
 * Prepares requests from the sealed entries of the audit trail, which is the queue of all webhooks: each has a position
 * in it, which moves in the transaction that inserts the request. A late commit is sealed later, so it is not missed.
 * Webhooks at the same position share one read.
 * @returns whether more work is pending
 */
export async function prepareDeliveries(deps: SendWebhooksDeps): Promise<boolean> {
  const { changes, isFull } = await inTransaction(deps.database, async (tx) => {
    if (!(await tryHoldUntilCommit(tx, 'prepare-webhooks'))) return { changes: [], isFull: false };
    const pauses = await pauseBehind(tx, deps);
    const head = await lastSealedSequence(tx);
    const found = await lockPreparable(tx, head);
    const results: (Prepared | Change[])[] = [];
    for (const [position, of] of Map.groupBy(found, ({ webhook }) => webhook.preparedUpTo)) {
      const upTo = Math.min(head, position + ENTRIES);
      const events = webhookEventsOf(await readTrailAfter(tx, position, upTo - position));
      for (const one of of) results.push(await prepareOne(tx, deps, { ...one, events, upTo }));
    }
    const prepared = results.filter((result) => 'webhook' in result);
    await insertPrepared(tx, prepared, deps.clock());
    return {
      changes: [...pauses, ...results.flatMap((result) => ('webhook' in result ? [] : result))],
      isFull: prepared.some(({ preparedUpTo }) => preparedUpTo < head),
    };
  });
  if (changes.length > 0) deps.changes.publish(changes);
  return isFull;
}

/** The next request of a webhook, or the changes of its pause. An error of one does not stop the others. */
async function prepareOne(
  tx: Transaction,
  deps: SendWebhooksDeps,
  given: {
    readonly webhook: StoredWebhook;
    readonly subject: string | null;
    readonly events: readonly WebhookEvent[];
    readonly upTo: number;
  },
): Promise<Prepared | Change[]> {
  const { webhook, subject, upTo } = given;
  const own = given.events.filter(({ type }) => webhook.eventTypes.includes(type));
  if (own.length === 0) return { webhook, events: [], preparedUpTo: upTo };
  const part = own.slice(0, WEBHOOK_LIMITS.events);
  const preparedUpTo = part.length < own.length ? (part.at(-1)?.sequence ?? upTo) : upTo;
  try {
    const owner = await ownerOfWebhook(deps, subject);
    if ('lost' in owner) {
      return await pauseWebhook(tx, webhook, { because: owner.lost, at: deps.clock() });
    }
    return { webhook, events: await visibleEvents(deps, owner.viewer, part), preparedUpTo };
  } catch (error) {
    deps.onError(error, webhook.id);
    return [];
  }
}

async function insertPrepared(
  tx: Transaction,
  prepared: readonly Prepared[],
  at: Date,
): Promise<void> {
  await insertDeliveries(
    tx,
    prepared
      .filter(({ events }) => events.length > 0)
      .map(({ webhook, events }) => ({
        ...{ id: newId(), webhookId: webhook.id, eventIds: events.map(({ id }) => id) },
        ...{ firstNumber: webhook.nextNumber, gapUntil: null, freeAt: at, createdAt: at },
      })),
  );
  await movePositions(
    tx,
    prepared.map(({ webhook: { id, nextNumber }, events, preparedUpTo }) => ({
      ...{ id, preparedUpTo, nextNumber: nextNumber + events.length },
    })),
  );
}

async function pauseBehind(tx: Transaction, { clock }: SendWebhooksDeps): Promise<Change[]> {
  const at = clock();
  const before = new Date(at.getTime() - WEBHOOK_LIMITS.waitingDays * DAY_MS);
  const changes: Change[] = [];
  for (const webhook of await lockBehind(tx, before)) {
    changes.push(...(await pauseWebhook(tx, webhook, { because: 'behind', at })));
  }
  return changes;
}
