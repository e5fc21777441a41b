import type { FastifyReply } from 'fastify';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { WireLanguage } from '../provider/wire/provider-error.ts';
import { escapeHtml } from './escape-html.ts';
import { pageFrame, pageHeaders } from './page-frame.ts';
import { pageWords } from './page-words.ts';

/**
 * A page that goes on by itself. Where the browser comes from a form of another site, a redirect would be held to what
 * that site lets its forms lead to (CSP, `form-action`); a page of ours begins anew.
 */
export function sendGoOnPage(
  { settings }: Pick<ProviderContext, 'settings'>,
  to: { readonly reply: FastifyReply; readonly language: WireLanguage; readonly url: string },
): FastifyReply {
  const { language, reply, url } = to;
  const words = pageWords(language);
  return reply.headers(pageHeaders([])).send(
    pageFrame(`${settings.baseUrl}/hosted`, {
      language,
      title: words.signIn,
      head: `<meta http-equiv="refresh" content="0;url=${escapeHtml(url)}">`,
      body: `<p>${escapeHtml(words.comeBackHint)}</p><nav><a class="button" href="${escapeHtml(url)}">${escapeHtml(words.goOn)}</a></nav>`,
    }),
  );
}
