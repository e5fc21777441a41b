import type { FastifyReply } from 'fastify';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { WireLanguage } from '../provider/wire/provider-error.ts';
import { escapeHtml } from './escape-html.ts';
import { pageFrame, pageHeaders } from './page-frame.ts';
import { pageWords } from './page-words.ts';

/**
 * A page that redirects automatically. A redirect after a form of another site would be subject to
 * that site's CSP (`form-action`); a page of this provider is not.
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
