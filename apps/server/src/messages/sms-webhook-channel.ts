import { createHmac } from 'node:crypto';
import { DeliveryError, type DeliveryChannel } from './delivery-channel.ts';
import { isNothingSent } from './nothing-sent.ts';

export interface SmsWebhookOptions {
  readonly url: string;
  /** Shared with the gateway, which verifies the signature with it. */
  readonly secret: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: () => Date;
  readonly limitMs?: number;
}

/** The request body for a gateway. */
export interface SmsRequest {
  readonly id: string;
  /** E.164. */
  readonly to: string;
  readonly text: string;
  /** ISO 8601; the message is useless afterwards. */
  readonly expiresAt: string;
}

/** Statuses that reject the number itself; all others may be temporary. */
const REFUSALS = new Set([400, 422]);

function signSmsRequest(secret: string, seconds: number, body: string): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

/**
 * Text messages by an HTTP gateway: one signed `POST` for each. Responses are specified in docs/guides/operating.md.
 */
export function createSmsWebhookChannel(options: SmsWebhookOptions): DeliveryChannel {
  const { url, secret, fetch = globalThis.fetch, clock = () => new Date() } = options;
  return {
    async deliver({ id, to, text, expiresAt }, handOver) {
      const request: SmsRequest = { id, to, text, expiresAt: expiresAt.toISOString() };
      const body = JSON.stringify(request);
      await handOver();
      const reply = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': id,
          'x-deviceportal-signature': signSmsRequest(
            secret,
            Math.floor(clock().getTime() / 1_000),
            body,
          ),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(options.limitMs ?? 15_000),
      }).catch((error: unknown) => {
        const code = codeOf(error);
        throw new DeliveryError(isNothingSent(code) ? 'later' : 'uncertain', code);
      });
      await reply.body?.cancel();
      if (reply.ok) return;
      throw new DeliveryError(REFUSALS.has(reply.status) ? 'refused' : 'later', `${reply.status}`);
    },
  };
}

function codeOf(error: unknown): string {
  const { cause, name } = error as { readonly cause?: { readonly code?: string }; name: string };
  return cause?.code ?? name;
}
