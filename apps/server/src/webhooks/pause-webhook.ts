import type { WebhookPauseReason } from '@deviceportal/contract/webhooks';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { notify } from '../notifications/notify.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { markPaused, type StoredWebhook } from './data/webhook-queries.ts';

/** Pauses a webhook for a reason of the portal, and notifies its owner. Returns the changes to publish after commit. */
export async function pauseWebhook(
  tx: Transaction,
  { id, name, ownerId }: Pick<StoredWebhook, 'id' | 'name' | 'ownerId'>,
  { because, at }: { readonly because: Exclude<WebhookPauseReason, 'paused'>; readonly at: Date },
): Promise<Change[]> {
  if (!(await markPaused(tx, id, { because, at }))) return [];
  await recordAudit(tx, [
    {
      ...{ type: 'webhook.paused', actor: systemActor },
      data: { webhookId: id, webhook: name, reason: because },
    },
  ]);
  if (because === 'owner-inactive') return [];
  return notify(tx, [
    {
      ...{ userId: ownerId, kind: 'webhook-paused' },
      subject: `webhook-paused:${id}:${at.toISOString()}`,
      facts: { webhookId: id, webhook: name, reason: because },
    },
  ]);
}
