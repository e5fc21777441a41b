import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { readClaims } from '../oidc/find-account.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { toWireUser } from '../accounts/wire-user.ts';
import {
  attributesOf,
  casFailureJson,
  casFailureXml,
  casSuccessJson,
  casSuccessXml,
} from './cas-answer.ts';
import { redeemServiceTicket, type CasCheck } from './cas-tickets.ts';

const placeSchema = z.object({ appId: z.string().max(64) });
const querySchema = z.object({
  service: z.string().max(4_096).optional(),
  ticket: z.string().max(256).optional(),
  renew: z
    .string()
    .transform((text) => text !== '' && text !== 'false')
    .default(false),
  format: z.string().toUpperCase().default('XML'),
});

/** The checks of a ticket by a service, and the session that clients of the contract look at. */
export function registerCasValidateRoutes(app: FastifyInstance, context: ProviderContext): void {
  const check = (request: FastifyRequest): Promise<CasCheck> =>
    redeemServiceTicket(context, {
      ...placeSchema.parse(request.params),
      ...pick(querySchema.parse(request.query)),
    });

  app.get('/cas-idp/:appId/validate', async (request, reply) => {
    const checked = await check(request);
    const text = checked.failure === undefined ? `yes\n${checked.user.id}\n` : 'no\n\n';
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(text);
  });

  const serviceValidate = async (request: FastifyRequest) => {
    const checked = await check(request);
    const isJson = querySchema.parse(request.query).format === 'JSON';
    if (checked.failure !== undefined) {
      return isJson ? casFailureJson(checked.failure) : casFailureXml(checked.failure);
    }
    const attributes = attributesOf(await readClaims(context, checked.user));
    const { id } = checked.user;
    return isJson ? casSuccessJson(id, attributes) : casSuccessXml(id, attributes);
  };
  for (const path of ['/cas-idp/:appId/serviceValidate', '/cas-idp/:appId/p3/serviceValidate']) {
    app.get(path, async (request, reply) => {
      const answer = await serviceValidate(request);
      reply.header('cache-control', 'no-store');
      const type = typeof answer === 'string' ? 'application/xml' : 'application/json';
      return reply.type(`${type}; charset=utf-8`).send(answer);
    });
  }

  app.get('/cas/session', async (request, reply) => {
    const signIn = await findBrowserSignIn(context, request.headers);
    reply.header('cache-control', 'no-store');
    if (signIn === undefined) return { session: null, userInfo: null };
    const { session, user } = signIn;
    return {
      session: { appId: session.appId, type: 'oidc', userId: user.id },
      userInfo: toWireUser(user),
    };
  });
}

function pick({ service, ticket, renew }: z.output<typeof querySchema>) {
  return { service, ticket, renew };
}
