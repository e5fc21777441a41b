import type { AlertNotice } from '../alert-notice.ts';
import { alertUrl, noticeWords } from './notice-words.ts';

/** Limits of Block Kit. */
const HEADER = 150;
const FIELD = 2_000;
const FIELDS = 10;

/** The body for an incoming webhook of Slack (Block Kit). */
export function slackBody(notice: AlertNotice, publicUrl: string): string {
  const { title, facts, open } = noticeWords(notice);
  return JSON.stringify({
    text: escaped(title),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: title.slice(0, HEADER), emoji: false },
      },
      {
        type: 'section',
        fields: facts.slice(0, FIELDS).map(({ name, value }) => ({
          type: 'mrkdwn',
          text: `*${escaped(name)}*\n${escaped(value)}`.slice(0, FIELD),
        })),
      },
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            text: { type: 'plain_text', text: open },
            url: alertUrl(publicUrl),
          },
        ],
      },
    ],
  });
}

/** Control characters of Slack's markup. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
