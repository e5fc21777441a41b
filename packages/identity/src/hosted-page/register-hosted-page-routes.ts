import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MAX_PICTURE_BYTES } from '../uploads/uploads.ts';
import { actSchema } from './act-schema.ts';
import { takeArrival } from './arrivals.ts';
import { beginElsewhere } from './begin-elsewhere.ts';
import { callerAt } from './caller-at.ts';
import { toProviderError } from '../provider/wire/envelope.ts';
import { wordsOf } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { findBrowserSignIn, keepBrowserSignIn, type BrowserSignIn } from './browser-sign-in.ts';
import { isOwnForm } from './form-secret.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import type { PageState } from './page-state.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { FindPendingSignIn, PendingSignIn } from './pending-sign-in.ts';
import { readFormBodies } from '../provider/wire/read-form-bodies.ts';
import { readMultipartBodies } from './read-multipart-bodies.ts';
import { showQrCode } from './qr-act.ts';
import { inProviderWords } from '../mfa/passkey-step.ts';
import { runAct } from './run-act.ts';
import { askSecondStep } from './second-step/run-step-act.ts';
import { sendWithoutApplication } from './send-without-application.ts';
import { makeVisit, sendEndedPage, sendSignInPage, type Visit } from './send-page.ts';

/** Pending sign-ins by the protocol's part of the URL. */
export type PendingSignIns = Readonly<Record<string, FindPendingSignIn>>;

const placeSchema = z.object({ kind: z.string().max(16), uid: z.string().max(128) });
const querySchema = z.object({
  way: z.enum(['code', 'password', 'ldap', 'ad', 'qr', 'passkey']).catch('code'),
  lang: z.string().max(16).optional().catch(undefined),
  arrival: z.string().max(128).optional().catch(undefined),
});
const identifierSchema = z.object({ identifier: z.string().max(64) });
const ASSET_CACHE = 'public, max-age=3600';

/** The pages for sign-in and consent. */
export function registerHostedPageRoutes(
  app: FastifyInstance,
  parts: Pick<Visit, 'connections' | 'faces'>,
  pending: PendingSignIns,
): void {
  const { context } = parts.connections;
  const asset = (url: string, type: string, text: string): void => {
    app.get(url, async (_request, reply) =>
      reply.type(type).header('cache-control', ASSET_CACHE).send(text),
    );
  };
  asset('/hosted/page.css', 'text/css; charset=utf-8', PAGE_STYLE);
  asset('/hosted/page.js', 'text/javascript; charset=utf-8', PAGE_SCRIPT);

  void app.register(async (scope) => {
    readFormBodies(scope);
    // A photo of a face comes as a file.
    await readMultipartBodies(scope, MAX_PICTURE_BYTES);
    const visitOf = (request: FastifyRequest, reply: FastifyReply) =>
      openVisit({ ...parts, context, pending }, request, reply);

    scope.get('/interaction/:kind/:uid/login', async (request, reply) => {
      const visit = await visitOf(request, reply);
      const { arrival: text, way } = querySchema.parse(request.query);
      const { uid } = placeSchema.parse(request.params);
      const arrival =
        text === undefined ? undefined : await takeArrival(context, { request, text, uid });
      if (visit === undefined) {
        const { otherwise } = arrival ?? {};
        return arrival === undefined || otherwise === undefined
          ? sendEndedPage(context, request, reply)
          : sendWithoutApplication(context, { ...arrival, otherwise }, { request, reply });
      }
      const known = await findBrowserSignIn(context, request.headers);
      const isNew = known !== undefined && arrival?.sessionId === known.session.id;
      const next = await nextOf(visit.waiting, known, isNew);
      if (next !== undefined) return reply.redirect(next, 303);
      const open = (error?: string): Promise<PageState> => openingState(visit, way, error);
      const { error, mfaToken } = arrival ?? {};
      const state =
        mfaToken === undefined
          ? await open(error)
          : await askSecondStep(visit, mfaToken).catch((thrown: unknown) =>
              open(refusalText(thrown, visit)),
            );
      return sendSignInPage(visit, state, known);
    });

    // Asked by the script of the page, where the browser can offer passkeys in a field.
    scope.get('/interaction/:kind/:uid/login/passkey', async (request, reply) => {
      const visit = await visitOf(request, reply);
      if (visit === undefined) return sendEndedPage(context, request, reply);
      const options = await passkeyOptions(visit);
      return reply.headers({ 'cache-control': 'no-store' }).type('application/json').send(options);
    });

    scope.get('/interaction/:kind/:uid/login/with/:identifier', async (request, reply) => {
      const visit = await visitOf(request, reply);
      if (visit === undefined) return sendEndedPage(context, request, reply);
      try {
        return await beginElsewhere(visit, identifierSchema.parse(request.params).identifier);
      } catch (error) {
        const state = await openingState(visit, 'code', refusalText(error, visit));
        return sendSignInPage(visit, state, undefined);
      }
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
      if (outcome.page !== undefined) return sendSignInPage(visit, outcome.page, known);
      if (outcome.sessionId !== undefined)
        await keepBrowserSignIn(context, reply, outcome.sessionId);
      return reply.redirect(outcome.next, 303);
    });
  });
}

/** The initial page. */
async function openingState(
  visit: Visit,
  step: PageState['step'],
  error: string | undefined,
): Promise<PageState> {
  const state = { step, account: visit.waiting.loginHint ?? '', error };
  if (step !== 'qr' && step !== 'passkey') return state;
  try {
    if (step === 'passkey') return { ...state, passkey: await passkeyOptions(visit) };
    return { ...state, qr: await showQrCode(visit.context, callerAt(visit)) };
  } catch (failure) {
    return { ...state, error: refusalText(failure, visit) };
  }
}

/** Options for the browser, as JSON. @throws ProviderError tooManyRequests */
async function passkeyOptions({ context, request }: Visit): Promise<string> {
  return JSON.stringify(await inProviderWords(() => context.passkeys.beginSignIn(request.ip)));
}

/** The page's text for an error; errors that are not rejections are rethrown. */
function refusalText(error: unknown, { language }: Visit): string {
  const { refusal } = toProviderError(error);
  if (refusal === refusals.internal) throw error;
  return wordsOf(refusal, language);
}

/** An existing session is sufficient, unless the application requires a new sign-in. */
async function nextOf(
  waiting: PendingSignIn,
  known: BrowserSignIn | undefined,
  isNew: boolean,
): Promise<string | undefined> {
  if (known === undefined || waiting.asks !== 'sign-in') return undefined;
  return isNew || waiting.mayReuseSignIn ? waiting.finish(known) : undefined;
}

async function openVisit(
  parts: Pick<Visit, 'connections' | 'context' | 'faces'> & { readonly pending: PendingSignIns },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | undefined> {
  const { kind, uid } = placeSchema.parse(request.params);
  const find = Object.hasOwn(parts.pending, kind) ? parts.pending[kind] : undefined;
  const waiting = await find?.(uid, request, reply);
  if (waiting === undefined) return undefined;
  const { lang } = querySchema.parse(request.query);
  return makeVisit(parts, { request, reply, kind, uid, waiting, lang });
}
