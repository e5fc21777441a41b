import type { AlertNotice } from '../alert-notice.ts';
import type { DestinationContent } from '../destinations/sealed-destination.ts';
import type { OutsidePost } from '../../platform/outside/post-outside.ts';
import { webhookHeaders } from '../../platform/outside/webhook-signature.ts';
import { PAGERDUTY_URL, pagerdutyBody } from './pagerduty-format.ts';
import { slackBody } from './slack-format.ts';
import { teamsBody } from './teams-format.ts';
import { webhookBody } from './webhook-format.ts';

const json = { 'content-type': 'application/json' };

/** @param delivery its ID is the idempotency key of the receiver */
export function requestOf(
  content: Exclude<DestinationContent, { readonly kind: 'email' }>,
  delivery: {
    readonly id: string;
    readonly notice: AlertNotice;
    readonly at: Date;
    readonly publicUrl: string;
  },
): OutsidePost {
  const { id, notice, at, publicUrl } = delivery;
  switch (content.kind) {
    case 'webhook': {
      const body = webhookBody(notice, publicUrl);
      const { url, secret } = content;
      return { url, body, headers: webhookHeaders(body, { id, secrets: [secret], at }) };
    }
    case 'slack':
      return { url: content.url, body: slackBody(notice, publicUrl), headers: json };
    case 'teams':
      return { url: content.url, body: teamsBody(notice, publicUrl), headers: json };
    case 'pagerduty': {
      const { routingKey } = content;
      return {
        url: PAGERDUTY_URL,
        body: pagerdutyBody(notice, { routingKey, publicUrl }),
        headers: json,
      };
    }
  }
}
