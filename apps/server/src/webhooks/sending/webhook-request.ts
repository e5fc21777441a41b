import type { WebhookBody } from '@deviceportal/contract/webhook-events';
import { WEBHOOK_LIMITS } from '@deviceportal/contract/webhooks';
import type { InternalHosts } from '../../platform/outside/internal-hosts.ts';
import { postOutside } from '../../platform/outside/post-outside.ts';
import { webhookHeaders } from '../../platform/outside/webhook-signature.ts';
import { sendFailure, type SendFailure } from '../../platform/deliveries/send-failure.ts';
import { signingSecrets, type WebhookContent } from '../sealed-webhook.ts';

const LIMIT_MS = WEBHOOK_LIMITS.responseSeconds * 1_000;

export interface WebhookAttempt {
  readonly failure: SendFailure | null;
  /** Null without a response. */
  readonly status: number | null;
  readonly durationMs: number;
}

/** Sends a signed request, once. Of the response, only its status is read. */
export async function sendWebhook(
  content: WebhookContent,
  { id, body, at }: { readonly id: string; readonly body: WebhookBody; readonly at: Date },
  hosts: InternalHosts,
): Promise<WebhookAttempt> {
  const text = JSON.stringify(body);
  const headers = webhookHeaders(text, { id, secrets: signingSecrets(content, at), at });
  const startedAt = performance.now();
  const end = (failure: SendFailure | null, status: number | null): WebhookAttempt => ({
    ...{ failure, status, durationMs: Math.round(performance.now() - startedAt) },
  });
  try {
    const status = await postOutside({ url: content.url, headers, body: text }, hosts, LIMIT_MS);
    return end(sendFailure({ status }), status);
  } catch (error) {
    return end(sendFailure({ error }), null);
  }
}
