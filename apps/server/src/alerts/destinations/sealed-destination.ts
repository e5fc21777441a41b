import type { AlertDestinationRow, NewAlertDestination } from '@deviceportal/contract/alerts';
import type { TextVault } from '../../commands/output/text-vault.ts';
import { newWebhookSecret } from '../../platform/outside/webhook-signature.ts';
import type { StoredDestination } from '../data/rule-queries.ts';

/** What a destination keeps secret. */
export type DestinationContent =
  | Exclude<NewAlertDestination, { readonly kind: 'webhook' }>
  | {
      readonly kind: 'webhook';
      readonly url: string;
      /** `whsec_` and a key in base64 (Standard Webhooks). */
      readonly secret: string;
    };

/** The content of a new destination; the secret of a webhook is generated. */
export function contentOf(given: NewAlertDestination): DestinationContent {
  if (given.kind !== 'webhook') return given;
  return { ...given, secret: newWebhookSecret() };
}

export const sealDestination = (
  vault: TextVault,
  id: string,
  content: DestinationContent,
): string => vault.sealText(id, JSON.stringify(content));

/** @throws if it was changed, or belongs to another destination or key */
export const openDestination = (vault: TextVault, id: string, sealed: string): DestinationContent =>
  JSON.parse(vault.openText(id, sealed)) as DestinationContent;

/** The destination without its secrets. */
export function maskedDestination(
  vault: TextVault,
  { id, kind, sealed }: Pick<StoredDestination, 'id' | 'kind' | 'sealed'>,
): AlertDestinationRow {
  return { id, kind, label: labelOf(openDestination(vault, id, sealed)) };
}

export function labelOf(content: DestinationContent): string {
  switch (content.kind) {
    case 'email':
      return content.addresses.join(', ');
    case 'pagerduty':
      return `••••${content.routingKey.slice(-4)}`;
    case 'webhook':
    case 'slack':
    case 'teams':
      return new URL(content.url).host;
  }
}
