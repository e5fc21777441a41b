import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProviderContext } from '../provider/provider-context.ts';
import { sendBackToPage, type Arrival } from './arrivals.ts';
import { findBrowserSignIn } from './browser-sign-in.ts';
import { pageLanguage } from './page-language.ts';
import { openServiceSignIn } from './service-sign-ins.ts';

/**
 * Goes on with somebody who came back from another provider to a page where no application waits: in-app browsers do,
 * whose client made the page's id up. Who is signed in goes to the end; who is not, or has a second step to do, gets a
 * page where that is done first.
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
