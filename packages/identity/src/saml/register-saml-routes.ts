import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { limitBegunSignIns } from '../hosted-page/limit-begun-sign-ins.ts';
import { readFormBodies } from '../provider/wire/read-form-bodies.ts';
import { sendMessage } from '../hosted-page/send-message.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { continueSamlLogin, startSamlLogin } from './saml-login.ts';
import { loadSamlCertificate } from './saml-certificate.ts';
import { samlLogout } from './saml-logout.ts';
import { samlPartiesOf } from './saml-parties.ts';
import type { SamlVisit } from './saml-visit.ts';

const placeSchema = z.object({ appId: z.string().max(64) });

type Answer = (visit: SamlVisit) => Promise<FastifyReply>;

/**
 * `/api/v2/saml-idp/{appId}`: sign-in by redirect and by form, also without a request; `…/metadata`, `…/logout`
 * (SAML 2.0 profiles, sections 4.1 and 4.4; identity-sdk.md, section 8).
 */
export function registerSamlRoutes(app: FastifyInstance, context: ProviderContext): void {
  let certificate: Promise<string> | undefined;
  const loadOnce = (): Promise<string> => {
    certificate ??= loadSamlCertificate(context).catch((error: unknown) => {
      certificate = undefined;
      throw error;
    });
    return certificate;
  };
  const handle = (answer: Answer) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { appId } = placeSchema.parse(request.params);
    const application = await context.applications.find(appId);
    if (application === undefined) {
      return sendMessage(context, { request, reply }, 'requestRefused', 'application not found');
    }
    return answer({ context, request, reply, application, certificate: await loadOnce() });
  };
  void app.register(async (scope) => {
    readFormBodies(scope);
    const place = '/api/v2/saml-idp/:appId';
    const method = ['GET', 'POST'];
    const preHandler = limitBegunSignIns(context);
    scope.route({ method, url: place, preHandler, handler: handle(startSamlLogin) });
    scope.get(`${place}/continue`, { preHandler }, handle(continueSamlLogin));
    scope.route({ method, url: `${place}/logout`, handler: handle(samlLogout) });
    scope.get(`${place}/metadata`, handle(sendMetadata));
  });
}

async function sendMetadata({ application, certificate, context, reply }: SamlVisit) {
  const { idp } = await samlPartiesOf(context, application, { certificate });
  return reply.type('application/samlmetadata+xml; charset=utf-8').send(idp.getMetadata());
}
