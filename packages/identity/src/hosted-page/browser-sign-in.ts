import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { tellCasServices, type TellContext } from '../cas/tell-cas-services.ts';
import { sameBytes } from '../secrets/secret-hash.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { cookieIn, setCookie } from '../provider/wire/cookies.ts';
import { findOpenSession, type ProviderSession } from '../sessions/provider-session-store.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';

const COOKIE = 'idp_sign_in';

/** Who is signed in with this browser: what all protocols of the provider share. */
export interface BrowserSignIn {
  readonly user: ProviderUser;
  readonly session: ProviderSession;
}

type SignInContext = Pick<
  ProviderContext,
  'clock' | 'db' | 'hash' | 'settings' | 'tokens' | 'users'
>;

/** Undefined when nobody is, the sign-in has ended, or its person is locked. */
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
  const maxAgeSeconds = context.settings.sessionSeconds;
  setCookie(reply, context.settings, {
    name: COOKIE,
    value: `${sessionId}.${seal}`,
    maxAgeSeconds,
  });
}

/**
 * Ends the sign-in of this browser, on the server, and has services told of it. @returns whose it was, if there was one
 */
export async function endBrowserSignIn(
  context: SignInContext & TellContext,
  headers: IncomingHttpHeaders,
): Promise<BrowserSignIn | undefined> {
  const signIn = await findBrowserSignIn(context, headers);
  if (signIn === undefined) return undefined;
  await context.tokens.endSession(signIn.session.id);
  // A service that is slow to answer holds nobody up.
  void tellCasServices(context, signIn.session.id).catch((error: unknown) =>
    context.onInternalError(error, 'telling services that a sign-in has ended'),
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

/** The sign-in that this browser had last; whether it goes on was not looked at. */
export function browserSignInId(
  context: Pick<ProviderContext, 'hash'>,
  headers: IncomingHttpHeaders,
): string | undefined {
  const [sessionId = '', seal = ''] = cookieIn(headers, COOKIE)?.split('.') ?? [];
  const expected = sealOf(context, sessionId);
  return sameBytes(expected, Buffer.from(seal, 'base64url')) ? sessionId : undefined;
}

/** The id of a sign-in stands in its tokens, so it alone is no proof. */
function sealOf({ hash }: Pick<ProviderContext, 'hash'>, sessionId: string): Buffer {
  return hash('provider-browser', 'sign-in', sessionId);
}
