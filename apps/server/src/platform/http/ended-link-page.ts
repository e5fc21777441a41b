import { PortalError } from '@deviceportal/contract/errors';

interface Words {
  readonly language: string;
  readonly title: string;
  readonly body: string;
  readonly link: string;
}

const english: Words = {
  language: 'en',
  title: 'This link has expired',
  body: 'Links to files are valid for one hour, and only while the user who requested them is signed in. Open the original page and request a new link.',
  link: 'Open Device Portal',
};
const chinese: Words = {
  language: 'zh-CN',
  title: '此链接已失效',
  body: '文件链接的有效期为一小时，且仅在请求者保持登录期间有效。请打开原页面重新获取。',
  link: '打开 Device Portal',
};

/**
 * The page for users who open an expired file link, instead of a JSON error.
 * @returns undefined for all other errors, and for clients that do not accept HTML
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
