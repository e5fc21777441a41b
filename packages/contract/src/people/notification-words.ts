/** Texts and links of notifications, in the portal and in messages. */

import { chineseTexts } from './chinese-notification-words.ts';
import { englishTexts } from './english-notification-words.ts';
import {
  readFacts,
  type NotificationLanguage,
  type NotificationText,
} from './notification-facts.ts';
import type { NotificationFacts, NotificationKind } from './notifications.ts';

/** What happened, and its numbers. */
export function notificationWords(
  kind: NotificationKind,
  facts: NotificationFacts,
  language: NotificationLanguage,
): NotificationText {
  const texts = language === 'en' ? englishTexts : chineseTexts;
  return texts[kind](readFacts(facts, language));
}

/** The page that shows it, or on which to act. */
export function notificationPath(kind: NotificationKind, facts: NotificationFacts): string {
  const of = (name: string): string => encodeURIComponent(String(facts[name] ?? ''));
  const command = String(facts['command'] ?? 'document');
  switch (kind) {
    case 'run-ended':
    case 'queued-ran':
    case 'schedule-ran':
      return facts['invocationId'] === null || facts['invocationId'] === undefined
        ? `/commands/${command}?run=${of('runId')}`
        : `/commands/${command}?device=${of('deviceId')}&invocation=${of('invocationId')}`;
    case 'run-approval':
    case 'run-decided':
      return `/commands/${command}?run=${of('runId')}`;
    case 'schedule-failed':
    case 'schedule-paused':
      return '/commands';
    case 'air-blast-approval':
    case 'air-blast-stopped':
    case 'air-blast-ended':
      return `/air-blast/${of('airBlastId')}`;
    case 'document-review':
    case 'document-reviewed':
      return `/documents/${of('document')}?v=${of('version')}`;
    case 'device-back':
    case 're-enrolment-asked':
      return `/devices/${of('deviceId')}`;
    case 'case-assigned':
      return `/cases/${of('caseId')}`;
    case 'report-ready':
    case 'report-failed':
      return `/reports/user-report?report=${of('reportId')}`;
    case 'elevation-asked':
    case 'elevation-decided':
    case 'elevation-ended':
      return '/uam/temporary-access';
    case 'account-locked':
    case 'user-left':
      return `/uam/users/${of('userId')}`;
    case 'access-review':
      return `/uam/access-reviews/${of('reviewId')}`;
    case 'legal-hold-release':
      return '/legal-holds';
    case 'audit-seal-stopped':
      return '/audit-trail/device';
    case 'backup-failed':
      return `/audit-trail/device?q=${encodeURIComponent('event=installation.backup-failed')}&t=30d`;
    case 'webhook-paused':
      return `/uam/webhooks/${of('webhookId')}`;
    case 'authorization-mismatch':
      return `/audit-trail/device?q=${encodeURIComponent('event=command.authorization-mismatch')}&t=30d`;
  }
}
