import { escapeHtml } from '../../messages/message-html.ts';
import { sharedStyle } from './shared-report-style.ts';

const english = {
  language: 'en',
  ended: {
    title: 'This link is no longer valid',
    body: 'Links to reports are valid for a limited time. Ask the sender for a new link.',
  },
  unknown: {
    title: 'This link is incomplete or incorrect',
    body: 'Copy the whole link from the message, or ask the sender for a new link.',
  },
  renew: 'Create a new link (requires permission)',
};
const chinese = {
  language: 'zh-CN',
  ended: {
    title: '此链接已失效',
    body: '报告链接仅在限定时间内有效。请向发送者索取新的链接。',
  },
  unknown: {
    title: '链接不完整或有误',
    body: '请从消息中复制完整的链接，或向发送者索取新的链接。',
  },
  renew: '创建新链接（需要权限）',
};

/** The response to an expired link, with the path to the report for users who can create a new link. */
export function endedSharePage(reportId: string | null, acceptLanguage: string): string {
  const words = wordsFor(acceptLanguage);
  const renew =
    reportId === null
      ? ''
      : `<p><a href="${escapeHtml(`/reports/user-report?report=${reportId}`)}">${words.renew}</a></p>`;
  return pageOf(words.language, words.ended, renew);
}

/** The response to a link that was never issued or lost a part on its way. */
export function unknownSharePage(acceptLanguage: string): string {
  const words = wordsFor(acceptLanguage);
  return pageOf(words.language, words.unknown, '');
}

const wordsFor = (acceptLanguage: string): typeof english =>
  /^\s*zh\b/i.test(acceptLanguage) ? chinese : english;

const pageOf = (
  language: string,
  { title, body }: { readonly title: string; readonly body: string },
  more: string,
): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${sharedStyle}</style></head>
<body><main><h1>${title}</h1><p>${body}</p>${more}</main></body>
</html>
`;
