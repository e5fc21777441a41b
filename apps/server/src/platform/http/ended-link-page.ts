import { PortalError } from '@deviceportal/contract/errors';

interface Words {
  readonly language: string;
  readonly title: string;
  readonly body: string;
  readonly link: string;
}

const english: Words = {
  language: 'en',
  title: 'This link has ended',
  body: 'Links to files work for an hour, and only while whoever asked for them is signed in. Open the page it came from and ask for a new one.',
  link: 'Open Device Portal',
};
const chinese: Words = {
  language: 'zh-CN',
  title: '此链接已失效',
  body: '文件链接的有效期为一小时，且仅在请求者保持登录期间有效。请打开原页面重新获取。',
  link: '打开 Device Portal',
};

/**
 * What somebody sees who opens a link to a file after its end, in place of an answer for programs.
 * @returns undefined for every other error, and for whoever wants no page
 */
export function endedLinkPage(
  error: unknown,
  headers: {
    readonly accept?: string | undefined;
    readonly 'accept-language'?: string | undefined;
  },
): string | undefined {
  if (!(error instanceof PortalError) || error.reason !== 'link-ended') return;
  if (!(headers.accept ?? '').includes('text/html')) return;
  const isChinese = /^\s*zh\b/i.test(headers['accept-language'] ?? '');
  const words = isChinese ? chinese : english;
  return `<!doctype html>
<html lang="${words.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${words.title}</title></head>
<body><main><h1>${words.title}</h1><p>${words.body}</p><p><a href="/">${words.link}</a></p></main></body>
</html>
`;
}
