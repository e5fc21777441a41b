import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProviderContext } from '../provider/provider-context.ts';
import { escapeHtml } from './escape-html.ts';
import { pageFrame, pageHeaders } from './page-frame.ts';
import { pageLanguage } from './page-language.ts';
import { pageWords } from './page-words.ts';

const STATUS = {
  signedIn: 200,
  signedOut: 200,
  requestRefused: 400,
  tooManyRequests: 429,
} as const;

/**
 * A page with a message; `reason` is for the operator of an application whose request was rejected,
 * `link` is the next page.
 */
export async function sendMessage(
  { settings }: Pick<ProviderContext, 'settings'>,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  what: keyof typeof STATUS,
  reason?: string,
  link?: { readonly url: string; readonly label: string },
): Promise<FastifyReply> {
  const language = pageLanguage(request.headers['accept-language']);
  const words = pageWords(language);
  const detail = reason === undefined ? '' : `<pre>${escapeHtml(reason)}</pre>`;
  const onward =
    link === undefined
      ? ''
      : `<nav><a class="button" href="${escapeHtml(link.url)}">${escapeHtml(words.goOnTo.replace('{application}', link.label))}</a></nav>`;
  const body = `<p>${escapeHtml(words[`${what}Hint`])}</p>${detail}${onward}`;
  return reply
    .headers(pageHeaders([]))
    .code(STATUS[what])
    .send(pageFrame(`${settings.baseUrl}/hosted`, { language, title: words[what], body }));
}
