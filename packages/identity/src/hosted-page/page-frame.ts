import type { WireLanguage } from '../provider/wire/provider-error.ts';
import { escapeHtml } from './escape-html.ts';

export interface Page {
  readonly language: WireLanguage;
  readonly title: string;
  /** HTML, escaped already. */
  readonly body: string;
  /** HTML for the head, such as an automatic redirect. */
  readonly head?: string;
  /** HTML next to the title, such as the language selection. */
  readonly corner?: string;
}

/** A whole document; `hosted` is where style and script of these pages lie. */
export function pageFrame(
  hosted: string,
  { language, title, body, corner = '', head = '' }: Page,
): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>${head}
<link rel="stylesheet" href="${hosted}/page.css">
<script src="${hosted}/page.js" defer></script>
</head>
<body>
<main>
<header><h1>${escapeHtml(title)}</h1>${corner}</header>
${body}
</main>
</body>
</html>`;
}

/**
 * Headers of the pages: nothing external is loaded, framing is denied, and forms are restricted to
 * this server and the destination of the sign-in.
 * @param formTargets origins or schemes of the applications' URLs, because browsers also check
 * redirects after a form
 * @param options.asksServer whether the page's script polls this server
 */
export function pageHeaders(
  formTargets: readonly string[],
  { asksServer = false }: { readonly asksServer?: boolean } = {},
): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    ...(asksServer ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${["'self'", ...new Set(formTargets)].join(' ')}`,
  ];
  return {
    'content-security-policy': policy.join('; '),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

/** The `form-action` source for a URL: its origin, or the scheme of a native app's URL. */
export function formTargetOf(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}
