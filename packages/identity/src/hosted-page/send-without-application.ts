import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProviderContext } from '../provider/provider-context.ts';
import { sendBackToPage, type Arrival } from './arrivals.ts';
import { findBrowserSignIn } from './browser-sign-in.ts';
import { pageLanguage } from './page-language.ts';
import { openServiceSignIn } from './service-sign-ins.ts';

/**
 * Handles a user who returns from an external provider to a page without a waiting application, as
 * in in-app browsers, whose clients generate the page's ID. A signed-in user is sent to the end;
 * otherwise, a page for sign-in or the second factor is shown first.
 */
export async function sendWithoutApplication(
  context: ProviderContext,
  arrival: Arrival & { readonly otherwise: NonNullable<Arrival['otherwise']> },
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const { error, mfaToken, otherwise, sessionId } = arrival;
  const { appId, endPath, serviceUrl } = otherwise;
  const known = await findBrowserSignIn(context, request.headers);
  if (known !== undefined && known.session.id === sessionId) {
    return reply.redirect(`${context.settings.baseUrl}${endPath}`, 303);
  }
  const page = await openServiceSignIn(context, {
    ...{ appId, serviceUrl, resumePath: endPath, cancelUrl: serviceUrl },
    notBefore: context.clock.now(),
  });
  const [, uid = ''] = /\/interaction\/service\/([^/]+)\/login$/.exec(page) ?? [];
  const { lang } = request.query as { readonly lang?: unknown };
  return sendBackToPage(context, {
    ...{ hosted: { kind: 'service', uid }, error, mfaToken, reply, request },
    language: pageLanguage(typeof lang === 'string' ? lang : undefined),
  });
}
