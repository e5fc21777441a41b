import type { AlertNotice } from '../alert-notice.ts';
import { alertUrl, noticeWords } from './notice-words.ts';

const colors = { critical: 'Attention', warning: 'Warning', info: 'Accent' } as const;

/** The body for a workflow webhook of Teams: a message with an Adaptive Card 1.5. */
export function teamsBody(notice: AlertNotice, publicUrl: string): string {
  const { title, facts, open } = noticeWords(notice);
  const color = notice.event === 'firing' ? colors[notice.severity] : 'Good';
  return JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.5',
          body: [
            {
              type: 'TextBlock',
              text: plain(title),
              size: 'Large',
              weight: 'Bolder',
              color,
              wrap: true,
            },
            {
              type: 'FactSet',
              facts: facts.map(({ name, value }) => ({ title: name, value: plain(value) })),
            },
          ],
          actions: [{ type: 'Action.OpenUrl', title: open, url: alertUrl(publicUrl) }],
        },
      },
    ],
  });
}

/** Cards interpret Markdown. */
const plain = (text: string): string => text.replaceAll(/[\\`*_[\]]/g, String.raw`\$&`);
