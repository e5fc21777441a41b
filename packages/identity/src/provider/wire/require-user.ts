import type { FastifyRequest } from 'fastify';
import type { ProviderContext } from '../provider-context.ts';
import type { UserToken } from '../../sessions/provider-tokens.ts';
import type { ProviderUser } from '../../accounts/provider-user.ts';
import type { Caller } from './caller.ts';
import { callerOf } from './caller-of.ts';
import { ProviderError } from './provider-error.ts';
import { refusals } from './refusals.ts';

/** A person who is signed in, and the call they make. */
export interface SignedInCaller extends Caller {
  readonly user: ProviderUser;
  readonly signIn: UserToken;
}

/**
 * The person whose token came with the request.
 * @throws ProviderError pleaseLogIn without a token, sessionHasEnded when it is not good, userIsBlocked
 */
export async function requireUser(
  context: Pick<ProviderContext, 'applications' | 'settings' | 'tokens' | 'users'>,
  request: FastifyRequest,
): Promise<SignedInCaller> {
  return requireUserOf(context, await callerOf(context, request));
}

/** The same for a caller that is known already. */
export async function requireUserOf(
  { tokens, users }: Pick<ProviderContext, 'tokens' | 'users'>,
  caller: Caller,
): Promise<SignedInCaller> {
  if (caller.token === undefined) throw new ProviderError(refusals.pleaseLogIn);
  const signIn = await tokens.verify(caller.token);
  if (signIn === undefined) throw new ProviderError(refusals.sessionHasEnded);
  const user = await users.find(signIn.userId);
  if (user === undefined) throw new ProviderError(refusals.sessionHasEnded);
  if (user.blocked || user.status !== 'Activated') throw new ProviderError(refusals.userIsBlocked);
  return { ...caller, user, signIn };
}
