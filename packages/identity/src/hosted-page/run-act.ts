import { findOpenSession } from '../sessions/provider-session-store.ts';
import type { SignedIn } from '../sign-in/sign-ins.ts';
import { mfaTokenOf } from '../mfa/mfa-refusals.ts';
import { toProviderError } from '../provider/wire/envelope.ts';
import { wordsOf } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { BrowserSignIn } from './browser-sign-in.ts';
import { callerAt } from './caller-at.ts';
import type { Act } from './act-schema.ts';
import type { PageState } from './page-state.ts';
import { followQrCode } from './qr-act.ts';
import { askSecondStep, runStepAct, stepActs } from './second-step/run-step-act.ts';
import type { Visit } from './send-page.ts';
import {
  sendSignInCode,
  signInByCode,
  signInByDirectoryForm,
  signInByPasskey,
  signInByPassword,
} from './sign-in-acts.ts';

/** Result of a form: the page again, or the next URL. */
export type Outcome =
  | { readonly page: PageState }
  | { readonly page?: undefined; readonly next: string; readonly sessionId?: string };

/** Handles a form of the page. Rejections are shown on the page with the reason. */
export async function runAct(
  visit: Visit,
  act: Act,
  known: BrowserSignIn | undefined,
): Promise<Outcome> {
  const { waiting } = visit;
  if (act.act === 'cancel') return { next: await waiting.cancel() };
  if (act.act === 'allow') {
    const isAsked = waiting.asks === 'consent' && known !== undefined;
    return isAsked ? { next: await waiting.allow() } : { page: again('code', act) };
  }
  try {
    return await takeStep(visit, act);
  } catch (error) {
    return refused(visit, act, error);
  }
}

async function takeStep(visit: Visit, act: Act): Promise<Outcome> {
  const { context } = visit;
  const caller = callerAt(visit);
  if (act.act === 'send') {
    const isSent = await sendSignInCode(context, act, caller);
    if (!isSent) return { page: again('code', act, visit.words.unknownAddress) };
    return { page: { ...again('enter-code', act), sentAt: context.clock.now() } };
  }
  if (act.act === 'qr') {
    const outcome = await followQrCode(context, act, caller);
    if ('signedIn' in outcome) return finish(visit, outcome.signedIn);
    const { qr } = outcome;
    const error = qr === undefined ? visit.words.qrExpired : undefined;
    return { page: { ...again('qr', act, error), ...(qr && { qr }) } };
  }
  if (stepActs.some((each) => each === act.act)) {
    const outcome = await runStepAct(visit, act);
    return 'step' in outcome ? { page: outcome } : finish(visit, outcome);
  }
  const ways = {
    code: signInByCode,
    password: signInByPassword,
    passkey: signInByPasskey,
    ldap: signInByDirectoryForm,
    ad: signInByDirectoryForm,
  } as const;
  const way = Object.hasOwn(ways, act.act) ? ways[act.act as keyof typeof ways] : signInByCode;
  const signedIn = await way(context, act, caller);
  return finish(visit, signedIn);
}

async function finish({ context, waiting }: Visit, { user, issued }: SignedIn): Promise<Outcome> {
  const session = await findOpenSession(
    context.db,
    issued.sessionId,
    new Date(context.clock.now()),
  );
  if (session === undefined) throw new Error('a sign-in ended before it was complete');
  return { next: await waiting.finish({ user, session }), sessionId: session.id };
}

/** Errors that are not rejections are rethrown to the error handler. */
async function refused(visit: Visit, act: Act, error: unknown): Promise<Outcome> {
  const { refusal } = toProviderError(error);
  if (refusal === refusals.internal) throw error;
  const token = mfaTokenOf(error);
  if (token !== undefined) return { page: await askSecondStep(visit, token) };
  const isResend = act.act === 'send' && act.sentAt > 0;
  const step = isResend ? 'enter-code' : (stepAfter[act.act] ?? 'enter-code');
  return { page: again(step, act, wordsOf(refusal, visit.language)) };
}

/** The form that was sent, to be sent again. */
const stepAfter: Partial<Record<Act['act'], PageState['step']>> = {
  ...{ password: 'password', ldap: 'ldap', ad: 'ad', qr: 'qr', send: 'code' },
  // The first step counts for some minutes: then it is done again.
  passkey: 'code',
  ...{ 'choose-step': 'code', 'send-step': 'code', 'second-step': 'code' },
};

function again(step: PageState['step'], { account, sentAt }: Act, error?: string): PageState {
  return { step, account, error, sentAt };
}
