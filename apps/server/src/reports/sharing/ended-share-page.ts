import { escapeHtml } from '../../messages/message-html.ts';
import { sharedStyle } from './shared-report-style.ts';

const english = {
  language: 'en',
  title: 'This link is no longer valid',
  body: 'Links to reports are valid for a limited time. Ask the sender for a new link.',
  renew: 'Create a new link (requires permission)',
};
const chinese = {
  language: 'zh-CN',
  title: '此链接已失效',
  body: '报告链接仅在限定时间内有效。请向发送者索取新的链接。',
  renew: '创建新链接（需要权限）',
};

/** The response to an expired link, with the path to the report for users who can create a new link. */
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
