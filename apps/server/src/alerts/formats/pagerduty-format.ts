import type { AlertNotice } from '../alert-notice.ts';
import { alertUrl, noticeWords } from './notice-words.ts';

export const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';
const SUMMARY = 1_024;

/** An event for PagerDuty Events API v2. The alert is its deduplication key. */
export function pagerdutyBody(
  notice: AlertNotice,
  { routingKey, publicUrl }: { readonly routingKey: string; readonly publicUrl: string },
): string {
  const { title, condition: description, open } = noticeWords(notice);
  const { event, alertId, rule, severity, at, matching, total, condition, devices } = notice;
  const key = { routing_key: routingKey, dedup_key: alertId };
  if (event === 'resolved') return JSON.stringify({ ...key, event_action: 'resolve' });
  const url = alertUrl(publicUrl);
  return JSON.stringify({
    ...key,
    event_action: 'trigger',
    payload: {
      summary: `${title} (${matching}/${total})`.slice(0, SUMMARY),
      source: new URL(publicUrl).host,
      severity: event === 'test' ? 'info' : severity,
      timestamp: at,
      class: condition.kind,
      group: rule,
      custom_details: { matching, total, description, condition, devices },
    },
    links: [{ href: url, text: open }],
    client: 'Device Portal',
    client_url: url,
  });
}
