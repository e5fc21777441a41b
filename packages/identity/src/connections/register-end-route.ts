import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { inTransaction } from '../database/in-transaction.ts';
import { keepCustomValues } from '../custom-values/change-custom-values.ts';
import { findBrowserSignIn, type BrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { formSecret, isOwnForm } from '../hosted-page/form-secret.ts';
import { sendGoOnPage } from '../hosted-page/send-go-on-page.ts';
import { sendMessage } from '../hosted-page/send-message.ts';
import { openServiceSignIn } from '../hosted-page/service-sign-ins.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { success, toProviderError } from '../provider/wire/envelope.ts';
import { wordsOf } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { requireApplication, type ConnectionDeps } from './connection-deps.ts';
import { connectionRefusals } from './connection-refusals.ts';
import type { Interaction } from './interactions.ts';
import { sendRelay } from './send-relay.ts';
import { relaySchema, showAsWished, wishedValues, wishesSchema } from './wishes.ts';

const PURPOSE = 'connection-end';
const LIFE_MS = 60 * 60_000;
const endSchema = z.object({
  appId: z.string(),
  /** Secret of the returning browser; the link is not valid in another one. */
  secret: z.string(),
  /** The sign-in that was made elsewhere; undefined: a second step, or another way, comes first. */
  sessionId: z.string().optional(),
  /** Epoch, ms. */
  issuedAt: z.number(),
  language: z.enum(['zh-CN', 'en-US']),
  relay: relaySchema,
  wishes: wishesSchema,
  returnUrl: z.string(),
});
type End = z.output<typeof endSchema>;

/** Stores the destination of a user who returns without a waiting application. */
export async function issueEnd(
  context: Pick<ProviderContext, 'applications' | 'clock' | 'hash' | 'settings' | 'tickets'>,
  { appId, language, relay, returnUrl, wishes }: Interaction,
  {
    sessionId,
    ...browser
  }: {
    readonly sessionId: string | undefined;
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  },
): Promise<{ readonly appId: string; readonly endPath: string; readonly serviceUrl: string }> {
  const { applications, clock, settings, tickets } = context;
  const application = await applications.find(appId);
  const home = new URL(application?.redirectUris[0] ?? settings.baseUrl).origin;
  const serviceUrl = relay?.targetUrl ?? returnUrl ?? home;
  const data: z.input<typeof endSchema> = {
    ...{ appId, language, sessionId, issuedAt: clock.now(), returnUrl: serviceUrl },
    secret: formSecret(context, { ...browser, uid: PURPOSE }),
    relay: relay ?? { method: 'web_message' },
    wishes: wishes ?? {},
  };
  const id = await tickets.issue({ purpose: PURPOSE, data, lifeMs: LIFE_MS });
  return { appId, serviceUrl, endPath: endPathOf(id) };
}

/**
 * `GET /connections/end`: reports to the application's page if requested, or redirects to it.
 * Requires the returning browser, with a session from this application that is not older. A browser
 * with another session, or none, must sign in first.
 */
export function registerEndRoute(app: FastifyInstance, deps: ConnectionDeps): void {
  const { context } = deps;
  app.get('/connections/end', async (request, reply) => {
    const { id } = z.object({ id: z.string().max(128) }).parse(request.query);
    const refuse = (reason: string): Promise<FastifyReply> =>
      sendMessage(context, { request, reply }, 'requestRefused', reason);
    const ticket = await context.tickets.read(PURPOSE, id).catch(() => undefined);
    if (ticket === undefined) return refuse('The sign-in timed out');
    const end = endSchema.parse(ticket.data);
    if (!isOwnForm(context, { request, uid: PURPOSE, sent: end.secret })) {
      return refuse(connectionRefusals.otherBrowser.en);
    }
    const { appId, language, relay, returnUrl, wishes } = end;
    const application = await requireApplication(deps, appId);
    const known = await findBrowserSignIn(context, request.headers);
    if (known === undefined || !isSignInFor(end, known)) {
      const page = await openServiceSignIn(context, {
        ...{ appId, serviceUrl: returnUrl, cancelUrl: returnUrl },
        ...{ resumePath: endPathOf(id), notBefore: context.clock.now() },
      });
      return reply.redirect(page, 303);
    }
    const { session, user } = known;
    const caller: Caller = {
      ...{ application, language, address: request.ip, requestId: request.id, token: undefined },
      userAgent: request.headers['user-agent'],
    };
    const refusal = await inTransaction(context.db, async (client) => {
      await context.tickets.spend(PURPOSE, id, client);
      await keepCustomValues(context, client, { user, caller }, wishedValues(wishes));
    }).catch((error: unknown) => {
      const { refusal: why } = toProviderError(error);
      if (why === refusals.internal) throw error;
      return wordsOf(why, language);
    });
    if (refusal !== undefined) return refuse(refusal);
    const now = new Date(context.clock.now());
    const token = { userId: user.id, session, issuedAt: now, expiresAt: now };
    const issued = await context.tokens.refresh(token, user);
    const shown = await showAsWished(context, user, { wishes, issued });
    if (relay.targetUrl === undefined) {
      const link = { url: returnUrl, label: application.name };
      return sendMessage(context, { request, reply }, 'signedIn', undefined, link);
    }
    return relay.method === 'web_message'
      ? sendGoOnPage(context, { reply, language, url: relay.targetUrl })
      : sendRelay(context, { reply, language, relay, said: success(shown) });
  });
}

function isSignInFor({ appId, issuedAt, sessionId }: End, { session }: BrowserSignIn): boolean {
  if (session.appId !== appId) return false;
  return session.id === sessionId || session.createdAt.getTime() >= issuedAt;
}

const endPathOf = (id: string): string => `/connections/end?id=${id}`;
