import type { FastifyReply } from 'fastify';
import { endBrowserSignIn, forgetBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { sendMessage } from '../hosted-page/send-message.ts';
import { issuerIn, readSaml, requestFor, requireDestination } from './read-saml-request.ts';
import type { SamlVisit } from './saml-visit.ts';
import { samlPartiesOf } from './saml-parties.ts';

/**
 * Ends this browser's session and responds to the service provider that requested it (SAML 2.0
 * profiles, section 4.4). By form, only the response is certain, because browsers send no cookies
 * with a form of another site.
 */
export async function samlLogout(visit: SamlVisit): Promise<FastifyReply> {
  const { application, certificate, context, reply, request } = visit;
  let answer: string | undefined;
  try {
    const saml = await readSaml(request);
    const issuer = issuerIn(saml);
    const parties = await samlPartiesOf(context, application, { certificate, issuer });
    if (saml.message !== undefined) {
      const { idp, place, sp, service } = parties;
      requireDestination(saml, { place: `${place}/logout`, service });
      const info = await idp.parseLogoutRequest(sp, saml.binding, requestFor(saml));
      if (service.logoutUrl !== null) {
        const { context: url } = idp.createLogoutResponse(
          sp,
          info,
          'redirect',
          saml.relayState ?? '',
        );
        answer = url;
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return sendMessage(context, { request, reply }, 'requestRefused', reason);
  }
  await endBrowserSignIn(context, request.headers);
  forgetBrowserSignIn(context, reply);
  if (answer !== undefined) return reply.redirect(answer, 303);
  return sendMessage(context, { request, reply }, 'signedOut');
}
