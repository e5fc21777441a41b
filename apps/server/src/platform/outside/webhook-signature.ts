import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 24;
const SECRET_PREFIX = 'whsec_';

/** `whsec_` and a key in base64 (Standard Webhooks). */
export const newWebhookSecret = (): string =>
  `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/**
 * The headers of a signed webhook (Standard Webhooks, "Signature scheme"). The receiver rejects a repeated request by
 * its ID, and an old one by its timestamp.
 * @param signing each secret signs, so that a receiver can replace one by the other
 */
export function webhookHeaders(
  body: string,
  signing: { readonly id: string; readonly secrets: readonly string[]; readonly at: Date },
): Readonly<Record<string, string>> {
  const { id, secrets, at } = signing;
  const seconds = Math.floor(at.getTime() / 1_000);
  const signed = `${id}.${seconds}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
