import { formatWords } from './format-words.ts';
import type { AlertNotice } from '../alert-notice.ts';

/** A notice in the language of its owner. */
export interface NoticeWords {
  readonly title: string;
  readonly condition: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly open: string;
}

export function noticeWords(notice: AlertNotice): NoticeWords {
  const words = formatWords[notice.language];
  const { event, rule, reason, devices } = notice;
  return {
    title: words.titles[event](rule),
    condition: words.conditionOf(notice),
    facts: [
      { name: words.severity, value: words.severities[notice.severity] },
      { name: words.condition, value: words.conditionOf(notice) },
      { name: words.devices, value: words.count(notice) },
      { name: words.since, value: notice.startedAt },
      ...(event === 'resolved' ? [{ name: words.resolved, value: notice.at }] : []),
      ...(reason === null || reason === 'recovered'
        ? []
        : [{ name: words.reason, value: words.reasons[reason] }]),
      ...(devices.length === 0
        ? []
        : [
            {
              name: words.examples,
              value: devices.map(({ serialNumber, name }) => serialNumber ?? name).join(', '),
            },
          ]),
    ],
    open: words.open,
  };
}

/** Where the portal shows the alert. */
export const alertUrl = (publicUrl: string): string => new URL('/alerts', publicUrl).href;
