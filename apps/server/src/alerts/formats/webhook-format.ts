import type { AlertNotice } from '../alert-notice.ts';
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
