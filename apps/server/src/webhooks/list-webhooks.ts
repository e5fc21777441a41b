import { PortalError } from '@deviceportal/contract/errors';
import type {
  WebhookDeliveryRow,
  WebhookDetail,
  WebhookRow,
} from '@deviceportal/contract/webhooks';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { listDeliveries, type StoredDelivery } from './data/webhook-delivery-queries.ts';
import { selectWebhooks } from './data/webhook-queries.ts';
import { openWebhook } from './sealed-webhook.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';

/** Visible webhooks by name, without their secrets. */
export async function listWebhooks(
  deps: WebhooksDeps,
  viewer: Viewer,
): Promise<readonly WebhookRow[]> {
  const found = await selectWebhooks(deps.database.orm, viewer);
  return found.map((stored) => rowOf(deps, viewer, stored));
}

/** A visible webhook with its latest requests. @throws PortalError 2003 */
export async function getWebhook(
  deps: WebhooksDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<WebhookDetail> {
  const [stored] = await selectWebhooks(deps.database.orm, viewer, id);
  if (stored === undefined) throw new PortalError('notFound', { facts: { id } });
  const row = rowOf(deps, viewer, stored);
  const deliveries = await listDeliveries(deps.database.orm, id);
  return { ...row, deliveries: deliveries.map((each) => deliveryOf(each, row.isOwn)) };
}

function rowOf(
  { alerts, clock }: WebhooksDeps,
  viewer: Viewer,
  { webhook, owner, waiting, failed }: Awaited<ReturnType<typeof selectWebhooks>>[number],
): WebhookRow {
  const { id, name, eventTypes, pausedBecause, rotatingUntil } = webhook;
  const isRotating = rotatingUntil !== null && rotatingUntil > clock();
  return {
    ...{ id, name, eventTypes, owner, pausedBecause, waiting, failed },
    host: new URL(openWebhook(alerts.vault, webhook).url).host,
    isOwn: webhook.ownerId === viewer.userId,
    pausedAt: isoOrNull(webhook.pausedAt),
    createdAt: webhook.createdAt.toISOString(),
    lastDeliveredAt: isoOrNull(webhook.lastDeliveredAt),
    rotatingUntil: isRotating ? rotatingUntil.toISOString() : null,
  };
}

function deliveryOf(stored: StoredDelivery, isOwn: boolean): WebhookDeliveryRow {
  const { id, state, eventIds, firstNumber, gapUntil, attempts, status, durationMs } = stored;
  const { lastError, createdAt, freeAt, endedAt } = stored;
  return {
    ...{ id, state, attempts, status, durationMs, lastError },
    ...{ events: eventIds.length, firstSequence: firstNumber, gapUntil: isoOrNull(gapUntil) },
    createdAt: createdAt.toISOString(),
    nextAt: endedAt === null ? freeAt.toISOString() : null,
    endedAt: isoOrNull(endedAt),
    canRetry: state === 'failed' && isOwn,
  };
}
