import { inTransaction } from '../database/in-transaction.ts';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import { randomSecret } from '../secrets/secret-hash.ts';
import {
  insertPasskeyChallenge,
  takePasskeyChallenge,
  trimPasskeyChallenges,
} from './passkey-challenge-store.ts';
import type { PasskeyContext } from './passkey-context.ts';
import { PasskeyError } from './passkey-error.ts';
import { lockPasskeyOwner } from './passkey-owner-store.ts';
import { CHALLENGE_LIFE_MS, type AssertionPurpose } from './passkeys.ts';

/** Undefined for a sign-in of a user who is not known yet. */
export interface ChallengeUse {
  readonly ownerId: string | undefined;
  readonly purpose: AssertionPurpose | 'registration';
}

/** Newer challenges of an owner replace the oldest. */
export const MOST_OPEN_CHALLENGES = 10;
const CHALLENGE_BYTES = 32;
const BEGUN_BY_ADDRESS: RateLimitRule = {
  ...{ name: 'passkey-sign-in-by-address', hits: 60, windowMs: 15 * 60_000 },
};

/** @returns a challenge for one use by this owner. @throws PasskeyError unknownPasskey without an owner */
export async function openChallenge(
  context: PasskeyContext,
  use: ChallengeUse & { readonly ownerId: string },
): Promise<string> {
  const challenge = newChallenge(context, use);
  await inTransaction(context.db, async (client) => {
    const owner = await lockPasskeyOwner(client, use.ownerId);
    if (owner === undefined) throw new PasskeyError('unknownPasskey');
    await insertPasskeyChallenge(client, challenge.stored);
    await trimPasskeyChallenges(client, use.ownerId, MOST_OPEN_CHALLENGES);
  });
  return challenge.text;
}

/** The same for a sign-in of a user who is not known yet. @throws PasskeyError tooManyRequests */
export async function openSignInChallenge(
  context: PasskeyContext,
  address: string,
): Promise<string> {
  const waitMs = await context.limits.hit(BEGUN_BY_ADDRESS, address);
  if (waitMs > 0) throw new PasskeyError('tooManyRequests', { waitMs });
  const challenge = newChallenge(context, { ownerId: undefined, purpose: 'sign-in' });
  await insertPasskeyChallenge(context.db, challenge.stored);
  return challenge.text;
}

/** Uses up a challenge that was opened for this. @returns false if there is none */
export function takeChallenge(
  context: PasskeyContext,
  use: ChallengeUse,
  text: string,
): Promise<boolean> {
  return takePasskeyChallenge(
    context.db,
    hashOf(context, use, text),
    new Date(context.clock.now()),
  );
}

function newChallenge(context: PasskeyContext, use: ChallengeUse) {
  const text = randomSecret(CHALLENGE_BYTES);
  const nowMs = context.clock.now();
  const stored = {
    hash: hashOf(context, use, text),
    ownerId: use.ownerId ?? null,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + CHALLENGE_LIFE_MS),
  };
  return { text, stored };
}

function hashOf(
  { hash }: PasskeyContext,
  { ownerId, purpose }: ChallengeUse,
  text: string,
): Buffer {
  return hash('passkey-challenge', purpose, ownerId ?? '', text);
}
