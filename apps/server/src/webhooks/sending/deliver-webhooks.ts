import type { WebhookBody } from '@deviceportal/contract/webhook-events';
import { WEBHOOK_LIMITS } from '@deviceportal/contract/webhooks';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import { deliverDue } from '../../platform/deliveries/deliver-due.ts';
import type { SendFailure } from '../../platform/deliveries/send-failure.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { readEntries } from '../data/trail-queries.ts';
import {
  recordAttempt,
  webhookOutbox,
  type StoredDelivery,
} from '../data/webhook-delivery-queries.ts';
import {
  countFailure,
  findWithOwner,
  updateWebhook,
  type StoredWebhook,
} from '../data/webhook-queries.ts';
import { webhookEventsOf } from '../event-sources.ts';
import { ownerOfWebhook } from '../owner-of-webhook.ts';
import { pauseWebhook } from '../pause-webhook.ts';
import { openWebhook } from '../sealed-webhook.ts';
import { visibleEvents } from '../visible-events.ts';
import type { SendWebhooksDeps } from '../webhooks-deps.ts';
import { sendWebhook } from './webhook-request.ts';

/** Longer than reading the objects and the request take. */
const ATTEMPT_MS = 60_000;

/** Nothing of a request is visible to the owner any more. It is no failure of the receiver. */
const NOTHING_VISIBLE = 'nothing-visible';

/** Sends the requests that are due. @returns their number */
export async function deliverWebhooks(deps: SendWebhooksDeps): Promise<number> {
  const pauses: Change[] = [];
  const count = await deliverDue<StoredDelivery>({
    ...{ database: deps.database, clock: deps.clock, attemptMs: ATTEMPT_MS },
    outbox: webhookOutbox,
    send: (delivery) => send(deps, delivery),
    onFailed: async (tx, delivery, reason) => {
      pauses.push(...(await recordFailure(tx, deps, { delivery, reason })));
    },
  });
  if (pauses.length > 0) deps.changes.publish(pauses);
  return count;
}

async function send(deps: SendWebhooksDeps, delivery: StoredDelivery): Promise<SendFailure | null> {
  const { database, clock, alerts } = deps;
  const found = await findWithOwner(database.orm, delivery.webhookId);
  if (found === undefined) return { reason: 'webhook-deleted', isFinal: true };
  const { webhook, subject } = found;
  const owner = await ownerOfWebhook(deps, subject);
  if ('lost' in owner) {
    const pause = { because: owner.lost, at: clock() };
    deps.changes.publish(await inTransaction(database, (tx) => pauseWebhook(tx, webhook, pause)));
    return { reason: owner.lost, isFinal: false };
  }
  const body = await bodyOf(deps, owner.viewer, { delivery, webhook });
  if (body === null) return { reason: NOTHING_VISIBLE, isFinal: true };
  const { failure, ...seen } = await sendWebhook(
    openWebhook(alerts.vault, webhook),
    { id: delivery.id, body, at: clock() },
    alerts.internalHosts,
  );
  if (failure !== null) {
    await recordAttempt(database.orm, delivery, seen);
    return failure;
  }
  const at = clock();
  const set = { state: 'delivered', lastError: null, endedAt: at, ...seen } as const;
  await inTransaction(database, async (tx) => {
    if (!(await webhookOutbox.end(tx, delivery, set))) return;
    await updateWebhook(tx, webhook.id, { failures: 0, lastDeliveredAt: at });
  });
  return null;
}

/** What the owner sees at present; null if that is nothing. */
async function bodyOf(
  deps: SendWebhooksDeps,
  viewer: Viewer,
  {
    delivery: { eventIds, firstNumber, gapUntil },
    webhook: { id: webhookId },
  }: { readonly delivery: StoredDelivery; readonly webhook: StoredWebhook },
): Promise<WebhookBody | null> {
  const timestamp = deps.clock().toISOString();
  if (gapUntil !== null) {
    return { type: 'gap', timestamp, data: { webhookId, until: gapUntil.toISOString() } };
  }
  const entries = webhookEventsOf(await readEntries(deps.database.orm, eventIds));
  const events = (await visibleEvents(deps, viewer, entries)).map(
    ({ id, type, at, sequence, data }) => ({
      ...{ id, type, at, sequence: firstNumber + sequence, data },
    }),
  );
  if (events.length === 0) return null;
  return { type: 'events', timestamp, data: { webhookId, events } } as WebhookBody;
}

/** Returns the changes to publish after commit. */
async function recordFailure(
  tx: Transaction,
  { clock }: SendWebhooksDeps,
  { delivery, reason }: { readonly delivery: StoredDelivery; readonly reason: string },
): Promise<Change[]> {
  const found = await findWithOwner(tx, delivery.webhookId);
  if (found === undefined) return [];
  const { webhook } = found;
  await recordAudit(tx, [
    {
      ...{ type: 'webhook.delivery-failed', actor: systemActor },
      data: {
        ...{ webhookId: webhook.id, webhook: webhook.name, deliveryId: delivery.id },
        ...{ events: delivery.eventIds.length, attempts: delivery.attempts, reason },
      },
    },
  ]);
  if (reason === NOTHING_VISIBLE) return [];
  const failures = await countFailure(tx, webhook.id);
  if (failures < WEBHOOK_LIMITS.failures) return [];
  return pauseWebhook(tx, webhook, { because: 'failing', at: clock() });
}
