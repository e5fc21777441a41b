import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findBrowserSignIn } from '../hosted-page/browser-sign-in.ts';
import { sendGoOnPage } from '../hosted-page/send-go-on-page.ts';
import { sendMessage } from '../hosted-page/send-message.ts';
import type { ProviderContext } from '../provider-context.ts';
import { success } from '../wire/envelope.ts';
import { requireApplication, type ConnectionDeps } from './connection-deps.ts';
import type { Interaction } from './interactions.ts';
import { sendRelay } from './send-relay.ts';
import { grantWishes, relaySchema, wishesSchema } from './wishes.ts';

const PURPOSE = 'connection-end';
const LIFE_MS = 60 * 60_000;
const endSchema = z.object({
  language: z.enum(['zh-CN', 'en-US']),
  relay: relaySchema,
  wishes: wishesSchema,
  returnUrl: z.string(),
});

/** Remembers where somebody goes who comes back from elsewhere to no waiting application. */
export async function issueEnd(
  {
    applications,
    settings,
    tickets,
  }: Pick<ProviderContext, 'applications' | 'settings' | 'tickets'>,
  { appId, language, relay, returnUrl, wishes }: Interaction,
): Promise<{ readonly appId: string; readonly endPath: string; readonly serviceUrl: string }> {
  const application = await applications.find(appId);
  const home = new URL(application?.redirectUris[0] ?? settings.baseUrl).origin;
  const serviceUrl = relay?.targetUrl ?? returnUrl ?? home;
  const data: z.input<typeof endSchema> = {
    language,
    relay: relay ?? { method: 'web_message' },
    wishes: wishes ?? {},
    returnUrl: serviceUrl,
  };
  const id = await tickets.issue({ purpose: PURPOSE, data, lifeMs: LIFE_MS });
  return { appId, serviceUrl, endPath: `/connections/end?app_id=${appId}&id=${id}` };
}

/** `GET /connections/end`: tells the application's page, where it asked for that, or leads back to it. */
export function registerEndRoute(app: FastifyInstance, deps: ConnectionDeps): void {
  const { context } = deps;
  app.get('/connections/end', async (request, reply) => {
    const { app_id: appId, id } = z
      .object({ app_id: z.string().max(64), id: z.string().max(128) })
      .parse(request.query);
    const application = await requireApplication(deps, appId);
    const known = await findBrowserSignIn(context, request.headers);
    // Only who is signed in uses it up.
    const ticket = known && (await context.tickets.spend(PURPOSE, id).catch(() => undefined));
    if (ticket === undefined || known === undefined) {
      return sendMessage(context, { request, reply }, 'requestRefused', 'it took too long');
    }
    const { language, relay, returnUrl, wishes } = endSchema.parse(ticket.data);
    const now = new Date(context.clock.now());
    const token = { userId: known.user.id, session: known.session, issuedAt: now, expiresAt: now };
    const issued = await context.tokens.refresh(token, known.user);
    const user = await grantWishes(context, known.user, { wishes, issued });
    if (relay.targetUrl === undefined) {
      const link = { url: returnUrl, label: application.name };
      return sendMessage(context, { request, reply }, 'signedIn', undefined, link);
    }
    return relay.method === 'web_message'
      ? sendGoOnPage(context, { reply, language, url: relay.targetUrl })
      : sendRelay(context, { reply, language, relay, said: success(user) });
  });
}
