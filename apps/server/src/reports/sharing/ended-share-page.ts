import { escapeHtml } from '../../messages/message-html.ts';
import { sharedStyle } from './shared-report-style.ts';

const english = {
  language: 'en',
  title: 'This link has ended',
  body: 'Links to reports work for a limited time. Ask whoever sent it to you for a new one.',
  renew: 'Renew it (for those who may)',
};
const chinese = {
  language: 'zh-CN',
  title: '此链接已失效',
  body: '报告链接仅在限定时间内有效。请向发送者索取新的链接。',
  renew: '续期（需要权限）',
};

/** What somebody sees whose link is over. Who may renew it finds the report in the portal. */
export function endedSharePage(reportId: string | null, acceptLanguage: string): string {
  const words = /^\s*zh\b/i.test(acceptLanguage) ? chinese : english;
  const renew =
    reportId === null
      ? ''
      : `<p><a href="${escapeHtml(`/reports/user-report?report=${reportId}`)}">${words.renew}</a></p>`;
  return `<!doctype html>
<html lang="${words.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${words.title}</title><style>${sharedStyle}</style></head>
<body><main><h1>${words.title}</h1><p>${words.body}</p>${renew}</main></body>
</html>
`;
}
