import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isAllowedAddress } from '../hosted-page/allowed-address.ts';
import { findBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { limitBegunSignIns } from '../hosted-page/limit-begun-sign-ins.ts';
import { sendMessage } from '../hosted-page/send-message.ts';
import { openServiceSignIn } from '../hosted-page/service-sign-ins.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { issueServiceTicket } from './cas-tickets.ts';

const flag = z.string().transform((text) => text !== '' && text !== 'false');
const placeSchema = z.object({ appId: z.string().max(64) });
const querySchema = z.object({
  service: z.string().max(4_096).optional(),
  renew: flag.optional(),
  gateway: flag.optional(),
});
const PURPOSE = 'cas-sign-in';
const LIFE_MS = 60 * 60_000;
/** Time in which a new sign-in must return to the service. */
const FRESH_MS = 5 * 60_000;
const waitingSchema = z.object({
  appId: z.string(),
  service: z.string().optional(),
  notBefore: z.number(),
});
type Waiting = z.output<typeof waitingSchema>;

/** `GET /cas-idp/{appId}`, also with `/login` at the end (CAS Protocol 3.0, section 2.1). */
export function registerCasLoginRoutes(app: FastifyInstance, context: ProviderContext): void {
  const login = async (request: FastifyRequest, reply: FastifyReply) => {
    const { appId } = placeSchema.parse(request.params);
    const { service, renew = false, gateway = false } = querySchema.parse(request.query);
    const refuse = (reason: string) =>
      sendMessage(context, { request, reply }, 'requestRefused', reason);
    const application = await context.applications.find(appId);
    if (application === undefined) return refuse('application not found');
    if (service !== undefined && !isAllowedAddress(service, application.redirectUris)) {
      return refuse('service: this URL is not registered for the application');
    }
    const waiting = { appId, service, notBefore: renew ? context.clock.now() : 0 };
    const signIn = await findBrowserSignIn(context, request.headers);
    if (signIn !== undefined && !renew) return goOn(request, reply, waiting);
    if (gateway && !renew && service !== undefined) return reply.redirect(service, 303);
    const id = await context.tickets.issue({ purpose: PURPOSE, data: waiting, lifeMs: LIFE_MS });
    const back = service ?? context.settings.baseUrl;
    const page = await openServiceSignIn(context, {
      appId,
      resumePath: `/cas-idp/${appId}/continue?id=${id}`,
      cancelUrl: back,
      serviceUrl: back,
      notBefore: waiting.notBefore,
    });
    return reply.redirect(page, 303);
  };

  const goOn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    waiting: Waiting,
    waitingId?: string,
  ) => {
    const { appId, notBefore, service } = waiting;
    const signIn = await findBrowserSignIn(context, request.headers);
    const isFresh = notBefore > 0;
    const since = isFresh ? Math.max(notBefore, context.clock.now() - FRESH_MS) : 0;
    if (signIn === undefined || signIn.session.createdAt.getTime() < since) {
      return sendMessage(context, { request, reply }, 'requestRefused', 'not signed in');
    }
    // A requested sign-in counts once; the next request requires another one.
    if (waitingId !== undefined && !(await isSpentNow(context, waitingId))) {
      return sendMessage(context, { request, reply }, 'requestRefused', 'already completed');
    }
    if (service === undefined) return sendMessage(context, { request, reply }, 'signedIn');
    const ticket = await issueServiceTicket(context, signIn, { appId, service, isFresh });
    const url = new URL(service);
    url.searchParams.set('ticket', ticket);
    return reply.header('cache-control', 'no-store').redirect(url.href, 303);
  };

  const preHandler = limitBegunSignIns(context);
  app.get('/cas-idp/:appId', { preHandler }, login);
  app.get('/cas-idp/:appId/login', { preHandler }, login);
  app.get('/cas-idp/:appId/continue', async (request, reply) => {
    const { appId } = placeSchema.parse(request.params);
    const { id } = z.object({ id: z.string().max(128) }).parse(request.query);
    const ticket = await context.tickets.read(PURPOSE, id).catch(() => undefined);
    const waiting = ticket && waitingSchema.parse(ticket.data);
    if (waiting?.appId !== appId) {
      return sendMessage(context, { request, reply }, 'requestRefused', 'The sign-in timed out');
    }
    return goOn(request, reply, waiting, id);
  });
}

const isSpentNow = ({ tickets }: Pick<ProviderContext, 'tickets'>, id: string): Promise<boolean> =>
  tickets.spend(PURPOSE, id).then(
    () => true,
    () => false,
  );
