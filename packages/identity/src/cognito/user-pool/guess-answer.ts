import { randomUUID } from 'node:crypto';
import type { PoolUser } from '../../accounts/pool-account-store.ts';
import { codeDestination } from '../triggers/code-destination.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import type { GuessedAccount } from '../../accounts/account-guesses.ts';
import type { PoolContext } from './pool-context.ts';
import type { ChallengeSubject } from './run-triggers.ts';
import { userAttributes } from './user-attributes.ts';

/**
 * Whether an answer is correct, counted as a guess. For a locked account, a wrong answer is checked
 * instead, so that the response does not reveal the lock or the account.
 */
export async function guessAnswer(
  { guesses }: Pick<PoolContext, 'guesses'>,
  {
    subject,
    answer,
    origin,
  }: {
    readonly subject: ChallengeSubject;
    readonly answer: string;
    readonly origin: CallOrigin;
  },
  verify: (answer: string) => Promise<boolean>,
): Promise<boolean> {
  if (isResend(subject)) {
    // Never right, so that it is no guess: not for triggers either that know of no such wish.
    await verify(answer);
    return false;
  }
  const { askedFrom, identifier, user, username: name } = subject;
  const account = user && guessedUser(user, identifier);
  const { address, requestId } = origin;
  const right = await guesses.check(
    { account, name, address, userAgent: askedFrom?.userAgent, requestId },
    async (isOpen) => (await verify(isOpen ? answer : randomUUID())) || undefined,
  );
  return right ?? false;
}

/** Asking for another code is no guess. */
export function isResend({ clientMetadata }: ChallengeSubject): boolean {
  return clientMetadata?.['resend'] === 'true';
}

/** A user with the contact for notifications. */
export function guessedUser(user: PoolUser, identifier: string): GuessedAccount {
  const attributes = userAttributes(user);
  return {
    id: user.sub,
    username: user.username,
    contact: codeDestination(attributes, identifier),
    locale: attributes['locale'],
    timeZone: attributes['zoneinfo'],
  };
}
