import type { FastifyReply } from 'fastify';
import { hidden } from '../hosted-page/form-parts.ts';
import { escapeHtml } from '../hosted-page/escape-html.ts';
import { formTargetOf, pageFrame, pageHeaders } from '../hosted-page/page-frame.ts';
import { pageWords } from '../hosted-page/page-words.ts';
import { sendGoOnPage } from '../hosted-page/send-go-on-page.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { Envelope } from '../provider/wire/envelope.ts';
import type { WireLanguage } from '../provider/wire/provider-error.ts';
import type { Relay } from './wishes.ts';

/**
 * Sends the result to the application's page by URL (`query`) or by form (`form_post`): `code`,
 * `message`, `data` as JSON text, and the client's `uuid`, which identifies its sign-in.
 */
export function sendRelay(
  context: Pick<ProviderContext, 'settings'>,
  told: {
    readonly reply: FastifyReply;
    readonly language: WireLanguage;
    readonly relay: Relay;
    readonly said: Envelope;
  },
): FastifyReply {
  const { language, relay, reply, said } = told;
  const { method, targetUrl = '', uuid } = relay;
  const fields = {
    code: String(said.code),
    message: said.message,
    ...(said.data !== undefined && { data: JSON.stringify(said.data) }),
    ...(uuid !== undefined && { uuid }),
  };
  if (method === 'query') {
    const url = new URL(targetUrl);
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
    return sendGoOnPage(context, { reply, language, url: url.href });
  }
  const words = pageWords(language);
  const inputs = Object.entries(fields).map(([name, value]) => hidden(name, value));
  const body = `<p>${escapeHtml(words.comeBackHint)}</p><form method="post" action="${escapeHtml(targetUrl)}" data-go-on>${inputs.join('')}<button type="submit">${escapeHtml(words.goOn)}</button></form>`;
  return reply
    .headers(pageHeaders([formTargetOf(targetUrl)]))
    .send(pageFrame(`${context.settings.baseUrl}/hosted`, { language, title: words.signIn, body }));
}
