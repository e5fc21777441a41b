import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import {
  WEBHOOK_LIMITS,
  type ChangedWebhook,
  type NewWebhook,
  type WebhookSecret,
} from '@deviceportal/contract/webhooks';
import { lastSealedSequence } from '../audit-trail/data/sealed-events.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import { newWebhookSecret } from '../platform/outside/webhook-signature.ts';
import { requireAllowedUrl } from '../platform/outside/require-allowed-url.ts';
import type { Caller } from '../platform/viewer.ts';
import {
  allWebhooks,
  insertWebhook,
  lockVisible,
  updateWebhook,
  webhooksOf,
  type StoredWebhook,
} from './data/webhook-queries.ts';
import { recordWebhook } from './record-webhook.ts';
import { newContent, openWebhook, sealWebhook } from './sealed-webhook.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';

const HOUR_MS = 3_600_000;

/**
 * Creates a webhook of the caller, for events from now on.
 * @throws PortalError 2004 for an address that is not allowed, or too many webhooks
 */
export async function createWebhook(
  { database, alerts }: WebhooksDeps,
  caller: Caller,
  { name, url, eventTypes }: NewWebhook,
): Promise<WebhookSecret> {
  await requireAllowedUrl(url, alerts.internalHosts, ['url']);
  const [id, ownerId, content] = [newId(), caller.viewer.userId, newContent(url)];
  await inTransaction(database, async (tx) => {
    await requireRoom(tx, { limit: 'webhooks', of: ownerId, existing: webhooksOf(ownerId) });
    await requireRoom(tx, { limit: 'webhooksOfAll', of: '', existing: allWebhooks });
    await insertWebhook(tx, {
      ...{ id, ownerId, name, eventTypes, sealed: sealWebhook(alerts.vault, id, content) },
      preparedUpTo: await lastSealedSequence(tx),
    });
    await recordWebhook(tx, caller, {
      ...{ type: 'webhook.created', webhook: { id, name } },
      more: { eventTypes, host: new URL(url).host },
    });
  });
  return { id, secret: content.secret };
}

/**
 * Changes an own webhook. Other types apply to events that are not prepared yet.
 * @throws PortalError 2003 for a webhook of another user; 2004 for an address that is not allowed
 */
export async function changeWebhook(
  { database, alerts }: WebhooksDeps,
  caller: Caller,
  { id, name, url, eventTypes }: ChangedWebhook,
): Promise<void> {
  if (url !== null) await requireAllowedUrl(url, alerts.internalHosts, ['url']);
  await inTransaction(database, async (tx) => {
    const before = await lockOwn(tx, caller, id);
    const content = openWebhook(alerts.vault, before);
    const sealed =
      url === null ? before.sealed : sealWebhook(alerts.vault, id, { ...content, url });
    await updateWebhook(tx, id, { name, eventTypes, sealed });
    await recordWebhook(tx, caller, {
      ...{ type: 'webhook.changed', webhook: { id, name } },
      more: { eventTypes, host: new URL(url ?? content.url).host },
    });
  });
}

/** Replaces the secret of an own webhook. For a day, the replaced one signs as well. @throws PortalError 2003 */
export async function rotateSecret(
  { database, alerts, clock }: WebhooksDeps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<WebhookSecret> {
  const secret = newWebhookSecret();
  await inTransaction(database, async (tx) => {
    const before = await lockOwn(tx, caller, id);
    const content = openWebhook(alerts.vault, before);
    const until = new Date(clock().getTime() + WEBHOOK_LIMITS.rotationHours * HOUR_MS);
    const replaced = { secret: content.secret, until: until.toISOString() };
    await updateWebhook(tx, id, {
      sealed: sealWebhook(alerts.vault, id, { ...content, secret, replaced }),
      rotatingUntil: until,
    });
    await recordWebhook(tx, caller, { type: 'webhook.secret-rotated', webhook: before });
  });
  return { id, secret };
}

/** @throws PortalError 2003, also for a webhook of another user */
export async function lockOwn(
  tx: Transaction,
  { viewer }: Caller,
  id: string,
): Promise<StoredWebhook> {
  const found = await lockVisible(tx, viewer, id);
  if (found?.ownerId !== viewer.userId) throw new PortalError('notFound', { facts: { id } });
  return found;
}
