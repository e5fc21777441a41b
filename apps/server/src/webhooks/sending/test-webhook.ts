import { newId } from '@deviceportal/contract/ids';
import type { WebhookTestResult } from '@deviceportal/contract/webhooks';
import { countManualMessages } from '../../alerts/sending/count-manual-messages.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { recordWebhook } from '../record-webhook.ts';
import { lockOwn } from '../save-webhook.ts';
import { openWebhook } from '../sealed-webhook.ts';
import type { WebhooksDeps } from '../webhooks-deps.ts';
import { sendWebhook } from './webhook-request.ts';

/**
 * Sends a test to an own webhook, once, and returns what came of it. Also while it is paused.
 * @throws PortalError 2003; 2004 for too many tests
 */
export async function testWebhook(
  { database, clock, alerts }: WebhooksDeps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<WebhookTestResult> {
  const content = await inTransaction(database, async (tx) => {
    const webhook = await lockOwn(tx, caller, id);
    const opened = openWebhook(alerts.vault, webhook);
    const counted = { kind: 'webhook', url: opened.url, secret: opened.secret } as const;
    const sent = { content: counted, vault: alerts.vault, at: clock() };
    await countManualMessages(tx, caller.viewer, sent);
    await recordWebhook(tx, caller, { type: 'webhook.tested', webhook });
    return opened;
  });
  const at = clock();
  const body = { type: 'test', timestamp: at.toISOString(), data: { webhookId: id } } as const;
  const request = { id: newId(), body, at };
  const { failure, durationMs } = await sendWebhook(content, request, alerts.internalHosts);
  return { ok: failure === null, error: failure?.reason ?? null, durationMs };
}
