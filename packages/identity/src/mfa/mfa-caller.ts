import type { FastifyRequest } from 'fastify';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { SignedIn } from '../sign-in/sign-ins.ts';
import { guessOf } from '../sign-in/guess-of.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { toWireUser, type WireUser } from '../accounts/wire-user.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { callerOf } from '../provider/wire/caller-of.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { requireUserOf, type SignedInCaller } from '../provider/wire/require-user.ts';
import { MFA_TICKET, mfaTicketSchema, type MfaTicket } from './mfa-gate.ts';
import type { MfaMethod } from './mfa-methods.ts';
import { mfaRefusals } from './mfa-refusals.ts';

/** A caller with an MFA token or a session token. */
export interface MfaCaller extends Caller {
  readonly user: ProviderUser;
  /** Undefined: the person is signed in. */
  readonly ticket: (MfaTicket & { readonly text: string }) | undefined;
  readonly signIn: SignedInCaller['signIn'] | undefined;
}

const WRONG: RateLimitRule = { name: 'provider-mfa-wrong', hits: 10, windowMs: 15 * 60_000 };

/** @throws ProviderError pleaseLogIn, mfaTokenHasEnded, userIsBlocked */
export async function mfaCallerOf(
  context: ProviderContext,
  request: FastifyRequest,
): Promise<MfaCaller> {
  return toMfaCaller(context, await callerOf(context, request));
}

/**
 * The user of a caller's token.
 * @throws ProviderError pleaseLogIn, mfaTokenHasEnded, userIsBlocked
 */
export async function toMfaCaller(context: ProviderContext, caller: Caller): Promise<MfaCaller> {
  if (caller.token === undefined) throw new ProviderError(refusals.pleaseLogIn);
  if (caller.token.includes('.')) {
    const signedIn = await requireUserOf(context, caller);
    return { ...signedIn, ticket: undefined };
  }
  const { userId, data } = await readMfaTicket(context, caller.token);
  if (data.appId !== caller.application.appId) {
    throw new ProviderError(mfaRefusals.mfaTokenHasEnded);
  }
  const user = await context.users.find(userId);
  if (user === undefined) throw new ProviderError(mfaRefusals.mfaTokenHasEnded);
  return { ...caller, user, ticket: { ...data, text: caller.token }, signIn: undefined };
}

async function readMfaTicket(
  { tickets }: ProviderContext,
  text: string,
): Promise<{ readonly userId: string; readonly data: MfaTicket }> {
  const ticket = await tickets.read(MFA_TICKET, text).catch(() => undefined);
  if (ticket === undefined || ticket.userId === null) {
    throw new ProviderError(mfaRefusals.mfaTokenHasEnded);
  }
  return { userId: ticket.userId, data: mfaTicketSchema.parse(ticket.data) };
}

/** Refuses a step that this sign-in does not offer. @throws ProviderError methodNotOffered */
export function requireOffered({ ticket }: MfaCaller, method: MfaMethod): void {
  if (ticket !== undefined && !ticket.mayBind && !ticket.offered.includes(method)) {
    throw new ProviderError(mfaRefusals.methodNotOffered);
  }
}

/**
 * Runs one attempt at a second step; wrong ones count against the person, whatever their token.
 * @throws ProviderError tooManyRequests, userIsBlocked once 100 in a row were wrong, or what the attempt throws
 */
export async function attempt<T>(
  { guesses, limits }: Pick<ProviderContext, 'guesses' | 'limits'>,
  caller: Caller & Pick<MfaCaller, 'user'>,
  run: () => Promise<T>,
): Promise<T> {
  const { user } = caller;
  const waitMs = await limits.hit(WRONG, user.id);
  if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
  const passed = await guesses.check(guessOf(user, user.id, caller), async (isOpen) => {
    // The user has completed the first factor and can be told.
    if (!isOpen) throw new ProviderError(refusals.userIsBlocked);
    return { result: await run() };
  });
  if (passed === undefined) throw new ProviderError(refusals.userIsBlocked);
  await limits.undo(WRONG, user.id);
  return passed.result;
}

/**
 * Completes a correct second factor: the MFA token is used up and the sign-in complete; an existing
 * session is kept.
 * @returns the user with a token
 */
export async function completeSecondStep(
  context: ProviderContext,
  caller: MfaCaller,
  method: MfaMethod | 'RECOVERY',
): Promise<WireUser> {
  const { ticket, signIn } = caller;
  if (ticket === undefined) {
    if (signIn === undefined) throw new ProviderError(refusals.pleaseLogIn);
    const issued = await context.tokens.refresh(signIn, caller.user);
    return toWireUser(caller.user, issued);
  }
  const signedIn = await finishSignIn(context, { ...caller, ticket }, method);
  return toWireUser(signedIn.user, signedIn.issued);
}

/** The MFA token is used up and the sign-in complete. @throws ProviderError mfaTokenHasEnded */
export async function finishSignIn(
  context: ProviderContext,
  caller: MfaCaller & { readonly ticket: NonNullable<MfaCaller['ticket']> },
  method: MfaMethod | 'RECOVERY',
): Promise<SignedIn> {
  const { firstMethod, text } = caller.ticket;
  await context.tickets.spend(MFA_TICKET, text).catch(() => {
    throw new ProviderError(mfaRefusals.mfaTokenHasEnded);
  });
  const user = (await context.users.find(caller.user.id)) ?? caller.user;
  const step = { method: `${firstMethod}+${method.toLowerCase()}`, isSecondStep: true };
  return context.signIns.complete(user, caller, step);
}
