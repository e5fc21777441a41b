import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ConnectionDeps } from '../connections/connection-deps.ts';
import type { OpenFaces } from '../face/open-faces.ts';
import type { WireLanguage } from '../provider/wire/provider-error.ts';
import type { BrowserSignIn } from './browser-sign-in.ts';
import { consentBody } from './consent-body.ts';
import { escapeHtml } from './escape-html.ts';
import { formSecret } from './form-secret.ts';
import { otherWaysOf } from './other-ways.ts';
import { pageFrame, pageHeaders } from './page-frame.ts';
import { pageLanguage } from './page-language.ts';
import { pageWords, type PageWords } from './page-words.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import type { PageState } from './page-state.ts';
import { signInBody } from './sign-in-body.ts';

/** A request at the page of a pending sign-in. */
export interface Visit {
  readonly context: ProviderContext;
  readonly connections: ConnectionDeps;
  readonly faces: OpenFaces;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The protocol's part of the address. */
  readonly kind: string;
  readonly uid: string;
  /** The language that was chosen on the page. */
  readonly lang: string | undefined;
  readonly waiting: PendingSignIn;
  readonly language: WireLanguage;
  readonly words: PageWords;
}

export function makeVisit(
  parts: Pick<Visit, 'connections' | 'context' | 'faces'>,
  visit: Pick<Visit, 'kind' | 'lang' | 'reply' | 'request' | 'uid' | 'waiting'>,
): Visit {
  const { lang, request, waiting } = visit;
  const language = pageLanguage(lang, waiting.languages, request.headers['accept-language']);
  return { ...parts, ...visit, language, words: pageWords(language) };
}

/** The page, in the state that the last form left. */
export async function sendSignInPage(
  visit: Visit,
  state: PageState,
  known: BrowserSignIn | undefined,
): Promise<FastifyReply> {
  const { context, language, reply, uid, waiting, words } = visit;
  const { name } = waiting.application;
  const secret = formSecret(context, visit);
  const isConsent = waiting.asks === 'consent' && known !== undefined;
  const title = isConsent ? words.consentTitle.replace('{application}', name) : words.signIn;
  const body = isConsent
    ? consentBody({ words, account: accountOf(known), scopes: waiting.scopes, formSecret: secret })
    : signInBody({
        words,
        state,
        applicationName: name,
        formSecret: secret,
        otherWays: otherWaysOf(context, waiting.application),
        offersPasskeys: context.passkeys.isAvailable,
        pageUrl: `${context.settings.baseUrl}/interaction/${visit.kind}/${uid}/login`,
        lang: visit.lang,
        now: context.clock.now(),
      });
  const other = language === 'en-US' ? 'zh-CN' : 'en-US';
  const corner = `<a href="?lang=${other}" lang="${other}" hreflang="${other}">${escapeHtml(words.language)}</a>`;
  return reply
    .headers(pageHeaders(waiting.formTargets, { asksServer: asksServer(context, state) }))
    .code(state.error === undefined ? 200 : 422)
    .send(pageFrame(`${context.settings.baseUrl}/hosted`, { language, title, body, corner }));
}

/** Whether the script of the page polls a QR code, or asks for a challenge to offer passkeys in a field. */
function asksServer({ passkeys }: Visit['context'], { qr, step }: PageState): boolean {
  const hasAccount = step === 'code' || step === 'password';
  return qr !== undefined || (hasAccount && passkeys.isAvailable);
}

export async function sendEndedPage(
  { settings }: Pick<ProviderContext, 'settings'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const language = pageLanguage(request.headers['accept-language']);
  const words = pageWords(language);
  const body = `<p>${escapeHtml(words.endedHint)}</p>`;
  return reply
    .headers(pageHeaders([]))
    .code(410)
    .send(pageFrame(`${settings.baseUrl}/hosted`, { language, title: words.ended, body }));
}

function accountOf({ user }: BrowserSignIn): string {
  return user.email ?? user.username ?? user.phoneE164 ?? user.id;
}
