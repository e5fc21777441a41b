import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ProviderContext } from '../provider-context.ts';
import { findBrowserSignIn, keepBrowserSignIn, type BrowserSignIn } from './browser-sign-in.ts';
import { isOwnForm } from './form-secret.ts';
import type { FindOtherWays } from './other-ways.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-style.ts';
import type { FindPendingSignIn, PendingSignIn } from './pending-sign-in.ts';
import { readFormBodies } from './read-form-bodies.ts';
import { runAct } from './run-act.ts';
import { actSchema } from './sign-in-acts.ts';
import { makeVisit, sendEndedPage, sendSignInPage, type Visit } from './send-page.ts';

/** What waits, by the protocol's part of the address. */
export type PendingSignIns = Readonly<Record<string, FindPendingSignIn>>;

const placeSchema = z.object({ kind: z.string().max(16), uid: z.string().max(128) });
const querySchema = z.object({
  way: z.enum(['code', 'password']).catch('code'),
  lang: z.string().max(16).optional().catch(undefined),
});
const ASSET_CACHE = 'public, max-age=3600';

/** The pages where people sign in for an application, and say yes to what it asks for. */
export function registerHostedPageRoutes(
  app: FastifyInstance,
  context: ProviderContext,
  pending: PendingSignIns,
  findOtherWays: FindOtherWays = async () => [],
): void {
  const asset = (url: string, type: string, text: string): void => {
    app.get(url, async (_request, reply) =>
      reply.type(type).header('cache-control', ASSET_CACHE).send(text),
    );
  };
  asset('/hosted/page.css', 'text/css; charset=utf-8', PAGE_STYLE);
  asset('/hosted/page.js', 'text/javascript; charset=utf-8', PAGE_SCRIPT);

  void app.register(async (scope) => {
    readFormBodies(scope);
    const visitOf = (request: FastifyRequest, reply: FastifyReply) =>
      openVisit({ context, pending, findOtherWays }, request, reply);

    scope.get('/interaction/:kind/:uid/login', async (request, reply) => {
      const visit = await visitOf(request, reply);
      if (visit === undefined) return sendEndedPage(context, request, reply);
      const known = await findBrowserSignIn(context, request.headers);
      const next = await nextOf(visit.waiting, known);
      if (next !== undefined) return reply.redirect(next, 303);
      const { way } = querySchema.parse(request.query);
      const state = { step: way, account: visit.waiting.loginHint ?? '', error: undefined };
      return sendSignInPage(visit, state, known);
    });

    scope.post('/interaction/:kind/:uid/login', async (request, reply) => {
      const visit = await visitOf(request, reply);
      if (visit === undefined) return sendEndedPage(context, request, reply);
      const act = actSchema.parse(request.body);
      const known = await findBrowserSignIn(context, request.headers);
      if (!isOwnForm(context, { request, uid: visit.uid, sent: act.secret })) {
        const state = { step: 'code', account: act.account, error: visit.words.tryAgain } as const;
        return sendSignInPage(visit, state, known);
      }
      const outcome = await runAct(visit, act, known);
      if (outcome.page !== undefined)
        return sendSignInPage(visit, outcome.page, known, outcome.token);
      if (outcome.sessionId !== undefined)
        await keepBrowserSignIn(context, reply, outcome.sessionId);
      return reply.redirect(outcome.next, 303);
    });
  });
}

/** A sign-in of before is enough, unless the application wants a new one. */
async function nextOf(
  waiting: PendingSignIn,
  known: BrowserSignIn | undefined,
): Promise<string | undefined> {
  const isEnough = waiting.asks === 'sign-in' && waiting.mayReuseSignIn && known !== undefined;
  return isEnough ? waiting.finish(known) : undefined;
}

async function openVisit(
  parts: {
    readonly context: ProviderContext;
    readonly pending: PendingSignIns;
    readonly findOtherWays: FindOtherWays;
  },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | undefined> {
  const { kind, uid } = placeSchema.parse(request.params);
  const find = Object.hasOwn(parts.pending, kind) ? parts.pending[kind] : undefined;
  const waiting = await find?.(uid, request, reply);
  if (waiting === undefined) return undefined;
  const { lang } = querySchema.parse(request.query);
  return makeVisit(parts, { request, reply, uid, waiting, lang });
}
