import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import { isAllowedAddress, signOutAddresses } from './allowed-address.ts';
import { endBrowserSignIn, forgetBrowserSignIn } from './browser-sign-in.ts';
import { sendMessage } from './send-message.ts';

const querySchema = z.object({
  redirect_uri: z.string().max(4_096).optional(),
  url: z.string().max(4_096).optional(),
  service: z.string().max(4_096).optional(),
});

/**
 * `GET /login/profile/logout?redirect_uri=` and `GET /cas-idp/logout?url=`: ends this browser's
 * session for all protocols, and redirects to the URL if it belongs to an application
 * (identity-sdk.md, section 8, "URL builders").
 */
export function registerSignOutRoutes(app: FastifyInstance, context: ProviderContext): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { redirect_uri: redirectUri, url, service } = querySchema.parse(request.query);
    const signIn = await endBrowserSignIn(context, request.headers);
    forgetBrowserSignIn(context, reply);
    if (signIn !== undefined) {
      context.record({
        kind: 'signedOut',
        at: new Date(context.clock.now()),
        sub: signIn.user.id,
        username: signIn.user.username ?? signIn.user.email ?? undefined,
        address: request.ip,
        requestId: request.id,
      });
    }
    const target = redirectUri ?? url ?? service;
    const allowed = signOutAddresses(await context.applications.list());
    if (target !== undefined && isAllowedAddress(target, allowed))
      return reply.redirect(target, 303);
    return sendMessage(context, { request, reply }, 'signedOut');
  };
  for (const path of ['/login/profile/logout', '/cas-idp/logout', '/cas-idp/:appId/logout']) {
    app.get(path, handler);
  }
}
