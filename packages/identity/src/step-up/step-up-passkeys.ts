import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { RateLimits } from '../limits/rate-limits.ts';
import { PasskeyError } from '../passkeys/passkey-error.ts';
import type { PasskeyCaller, Passkeys } from '../passkeys/passkeys.ts';
import { sameBytes, type SecretHash } from '../secrets/secret-hash.ts';
import { STEP_UP_WRONG_RULE, type StepUpAnswer, type StepUpSession } from './step-up-codes.ts';

export interface BegunStepUp {
  readonly options: PublicKeyCredentialRequestOptionsJSON;
  /** Binds the challenge to the session; returned with the signature. */
  readonly binding: string;
}

export interface PasskeyToCheck extends StepUpSession {
  readonly caller: PasskeyCaller;
  /** As the browser sent it. */
  readonly credential: unknown;
  readonly binding: string;
}

/** Passkeys that confirm users who are signed in, also at other providers. */
export interface StepUpPasskeys {
  /** Whether the user has a passkey, and browsers offer it at this portal. */
  has(person: string): Promise<boolean>;
  /** @throws PasskeyError unknownPasskey if the user has none */
  begin(session: StepUpSession): Promise<BegunStepUp>;
  /** A challenge counts once, and only in its session. */
  check(answer: PasskeyToCheck): Promise<StepUpAnswer>;
}

const clientDataSchema = z.object({ challenge: z.string() });
const credentialSchema = z.object({ response: z.object({ clientDataJSON: z.string() }) });

export function createStepUpPasskeys({
  passkeys,
  hash,
  limits,
}: {
  readonly passkeys: Passkeys;
  readonly hash: SecretHash;
  readonly limits: RateLimits;
}): StepUpPasskeys {
  const bindingOf = ({ person, session }: StepUpSession, challenge: string): Buffer =>
    hash('step-up-challenge', person, session, challenge);
  return {
    has: async (person) => passkeys.isAvailable && (await passkeys.has(person)),
    async begin(session) {
      const options = await passkeys.beginAssertion(session.person, 'step-up');
      return { options, binding: bindingOf(session, options.challenge).toString('base64url') };
    },
    async check({ caller, credential, binding, ...session }) {
      const waitMs = await limits.hit(STEP_UP_WRONG_RULE, session.person);
      if (waitMs > 0) return { kind: 'too-many', waitMs };
      const given = Buffer.from(binding, 'base64url');
      const challenge = challengeOf(credential);
      if (challenge === undefined || !sameBytes(given, bindingOf(session, challenge))) {
        return { kind: 'ended' };
      }
      try {
        await passkeys.finishAssertion(caller, 'step-up', credential);
      } catch (error) {
        if (!(error instanceof PasskeyError)) throw error;
        return error.refusal === 'challengeEnded'
          ? { kind: 'ended' }
          : { kind: 'wrong', attemptsLeft: 0 };
      }
      await limits.undo(STEP_UP_WRONG_RULE, session.person);
      return { kind: 'right' };
    },
  };
}

/** The challenge that was signed. */
function challengeOf(credential: unknown): string | undefined {
  const sent = credentialSchema.safeParse(credential);
  if (!sent.success) return undefined;
  try {
    const text = Buffer.from(sent.data.response.clientDataJSON, 'base64url').toString();
    return clientDataSchema.parse(JSON.parse(text)).challenge;
  } catch {
    return undefined;
  }
}
