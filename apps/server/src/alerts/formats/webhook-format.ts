import { createHmac } from 'node:crypto';
import type { AlertNotice } from '../alert-notice.ts';
import { SECRET_PREFIX } from '../destinations/sealed-destination.ts';
import { alertUrl } from './notice-words.ts';

/** The body of a webhook (Standard Webhooks: `type`, `timestamp`, `data`). */
export function webhookBody(notice: AlertNotice, publicUrl: string): string {
  const { event, at, language: _, ...data } = notice;
  return JSON.stringify({
    type: `alert.${event}`,
    timestamp: at,
    data: { ...data, url: alertUrl(publicUrl) },
  });
}

/** The headers of a signed webhook (Standard Webhooks, "Signature scheme"). */
export function webhookHeaders(
  body: string,
  signing: { readonly id: string; readonly secret: string; readonly at: Date },
): Readonly<Record<string, string>> {
  const { id, secret, at } = signing;
  const seconds = Math.floor(at.getTime() / 1_000);
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}
