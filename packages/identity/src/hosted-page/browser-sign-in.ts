import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { tellCasServices, type TellContext } from '../cas/tell-cas-services.ts';
import { sameBytes } from '../secrets/secret-hash.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { cookieIn, setCookie } from '../provider/wire/cookies.ts';
import { findOpenSession, type ProviderSession } from '../sessions/provider-session-store.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';

const COOKIE = 'idp_sign_in';

/** The session of this browser, shared by all protocols of the provider. */
export interface BrowserSignIn {
  readonly user: ProviderUser;
  readonly session: ProviderSession;
}

type SignInContext = Pick<
  ProviderContext,
  'clock' | 'db' | 'hash' | 'sessionSeconds' | 'settings' | 'tokens' | 'users'
>;

/** Undefined if there is none, it has ended, or its user is locked. */
export async function findBrowserSignIn(
  context: SignInContext,
  headers: IncomingHttpHeaders,
): Promise<BrowserSignIn | undefined> {
  const sessionId = browserSignInId(context, headers);
  if (sessionId === undefined) return undefined;
  const session = await findOpenSession(context.db, sessionId, new Date(context.clock.now()));
  const user = session && (await context.users.find(session.userId));
  if (session === undefined || user === undefined) return undefined;
  return user.blocked || user.status !== 'Activated' ? undefined : { user, session };
}

/** Makes this browser the one of the sign-in: a cookie that no script reads and no other site sends along with a form. */
export async function keepBrowserSignIn(
  context: SignInContext,
  reply: FastifyReply,
  sessionId: string,
): Promise<void> {
  const seal = sealOf(context, sessionId).toString('base64url');
  const maxAgeSeconds = context.sessionSeconds();
  setCookie(reply, context.settings, {
    name: COOKIE,
    value: `${sessionId}.${seal}`,
    maxAgeSeconds,
  });
}

/**
 * Ends the session of this browser and notifies services.
 * @returns its user, if there was a session
 */
export async function endBrowserSignIn(
  context: SignInContext & TellContext,
  headers: IncomingHttpHeaders,
): Promise<BrowserSignIn | undefined> {
  const signIn = await findBrowserSignIn(context, headers);
  if (signIn === undefined) return undefined;
  await context.tokens.endSession(signIn.session.id);
  // In the background, so that a slow service delays nothing.
  void tellCasServices(context, signIn.session.id).catch((error: unknown) =>
    context.onInternalError(error, 'notification of CAS services about an ended sign-in'),
  );
  return signIn;
}

/** Makes the browser forget. */
export function forgetBrowserSignIn(
  { settings }: Pick<ProviderContext, 'settings'>,
  reply: FastifyReply,
): void {
  for (const name of [COOKIE, 'idp_session', 'idp_session.sig']) {
    setCookie(reply, settings, { name, value: '', maxAgeSeconds: 0 });
  }
}

/** ID of this browser's last session, without checking that it is active. */
export function browserSignInId(
  context: Pick<ProviderContext, 'hash'>,
  headers: IncomingHttpHeaders,
): string | undefined {
  const [sessionId = '', seal = ''] = cookieIn(headers, COOKIE)?.split('.') ?? [];
  const expected = sealOf(context, sessionId);
  return sameBytes(expected, Buffer.from(seal, 'base64url')) ? sessionId : undefined;
}

/** The ID of a session is part of its tokens, so the cookie also needs a seal. */
function sealOf({ hash }: Pick<ProviderContext, 'hash'>, sessionId: string): Buffer {
  return hash('provider-browser', 'sign-in', sessionId);
}
