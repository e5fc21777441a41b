import { PortalError } from '@deviceportal/contract/errors';
import { countManualMessages } from '../../alerts/sending/count-manual-messages.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { lockFailedDelivery, reopenDelivery } from '../data/webhook-delivery-queries.ts';
import { recordWebhook } from '../record-webhook.ts';
import { openWebhook } from '../sealed-webhook.ts';
import type { WebhooksDeps } from '../webhooks-deps.ts';

/**
 * Sends a request again that was given up, before those that wait.
 * @throws PortalError 2003 for a request that was not given up, or of another user; 2004 for too many
 */
export async function retryDelivery(
  { database, clock, alerts }: WebhooksDeps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const found = await lockFailedDelivery(tx, caller.viewer, id);
    if (found === undefined) throw new PortalError('notFound', { facts: { id } });
    const { webhook } = found;
    const { url, secret } = openWebhook(alerts.vault, webhook);
    const content = { kind: 'webhook', url, secret } as const;
    await countManualMessages(tx, caller.viewer, { content, vault: alerts.vault, at: clock() });
    await reopenDelivery(tx, id, clock());
    await recordWebhook(tx, caller, {
      ...{ type: 'webhook.delivery-retried', webhook, more: { deliveryId: id } },
    });
  });
}
