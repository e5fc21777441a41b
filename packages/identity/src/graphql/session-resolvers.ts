import { arnOf, toWireUser } from '../accounts/wire-user.ts';
import { ProviderError, wordsOf } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { GraphqlCall, Resolvers } from './graphql-call.ts';

const signedIn = { code: 200, en: 'signed in', zh: '已登录' };
const ended = { code: 2206, en: 'the sign-in has ended', zh: '登录信息已过期' };

/** Status of a token, and its user. */
export const sessionResolvers = {
  async checkLoginStatus(_parent, given: { token?: string | null }, call) {
    const { provider, caller } = call;
    const token = given.token || caller.token;
    const found = token ? await provider.tokens.verify(token) : undefined;
    const user = found && (await provider.users.find(found.userId));
    if (found === undefined || user === undefined || user.blocked || user.status !== 'Activated') {
      return { code: ended.code, message: wordsOf(ended, caller.language), status: false };
    }
    return {
      code: signedIn.code,
      message: wordsOf(signedIn, caller.language),
      status: true,
      ...secondsOf(found),
      data: { id: user.id, userPoolId: user.userPoolId, arn: arnOf(user) },
    };
  },
  /** Users see only themselves; the ID of another user is treated as not found. */
  async user(_parent, { id }: { id?: string | null }, call) {
    const { user, token, signIn } = await call.requireUser();
    if (id && id !== user.id) return null;
    const { expiresAt } = signIn;
    return toWireUser(user, token === undefined ? undefined : { token, expiresAt });
  },
  async refreshToken(_parent, { id }: { id?: string | null }, call) {
    const { user, signIn } = await call.requireUser();
    if (id && id !== user.id) throw new ProviderError(refusals.notAllowed);
    const issued = await call.provider.tokens.refresh(signIn, user);
    recordRefresh(call, user.id, user.username ?? user.email ?? user.id);
    return { token: issued.token, ...secondsOf(issued) };
  },
} satisfies Resolvers;

function secondsOf({ issuedAt, expiresAt }: { issuedAt: Date; expiresAt: Date }) {
  return {
    iat: Math.floor(issuedAt.getTime() / 1_000),
    exp: Math.floor(expiresAt.getTime() / 1_000),
  };
}

function recordRefresh({ provider, caller }: GraphqlCall, sub: string, username: string): void {
  const { address, requestId } = caller;
  const at = new Date(provider.clock.now());
  provider.record({ kind: 'refreshed', at, sub, username, address, requestId });
}
