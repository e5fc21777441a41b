import {
  LOGIN_CODE_RESEND_MS,
  LOGIN_CODE_TRIES,
  LOGIN_CODE_VALIDITY_MS,
} from '@deviceportal/contract/constants';
import { newId } from '@deviceportal/contract/ids';
import type { AccountGuesses, Guess } from '../accounts/account-guesses.ts';
import type { Clock } from '../clock.ts';
import { closeCode, insertCode, takeTryOfSubject } from '../codes/code-store.ts';
import { newDigits } from '../codes/new-digits.ts';
import type { CodeDestination } from '../cognito/triggers/code-destination.ts';
import { deliverCode } from '../cognito/triggers/deliver-code.ts';
import { onlyDigits } from '../cognito/triggers/only-digits.ts';
import { createStoredSendLimits } from '../cognito/triggers/send-limits.ts';
import type { Queryable } from '../database/in-transaction.ts';
import type { RateLimitRule, RateLimits } from '../limits/rate-limits.ts';
import type { AskedFrom, Messenger } from '../messenger.ts';
import { sameBytes, type SecretHash } from '../secrets/secret-hash.ts';

/** The session that confirms. A code of one session is of no use in another. */
export interface StepUpSession {
  /** Subject of the user's tokens, for the limits. */
  readonly person: string;
  /** Identifies the sign-in. */
  readonly session: string;
}

export interface StepUpCodeToSend extends StepUpSession {
  readonly destination: CodeDestination;
  readonly askedFrom: AskedFrom;
}

export type SentStepUpCode =
  | { readonly kind: 'sent'; readonly expiresAt: Date; readonly resendAfter: Date }
  | { readonly kind: 'too-many'; readonly waitMs: number }
  | { readonly kind: 'not-delivered'; readonly cause: unknown };

export type StepUpAnswer =
  | { readonly kind: 'right' | 'ended' | 'locked' }
  | { readonly kind: 'wrong'; readonly attemptsLeft: number }
  | { readonly kind: 'too-many'; readonly waitMs: number };

/** Codes that confirm a session that is already signed in, by email or text message. */
export interface StepUpCodes {
  /** Invalidates the previous code of the session. */
  send(code: StepUpCodeToSend): Promise<SentStepUpCode>;
  /** Uses one try of the session's code. */
  check(
    answer: StepUpSession & { readonly code: string; readonly guess: Guess },
  ): Promise<StepUpAnswer>;
}

const DIRECTORY = 'user-pool';
const PURPOSE = 'step-up';

/** In addition to the tries of each code: users of other providers have no account that is locked. */
export const STEP_UP_WRONG_RULE: RateLimitRule = {
  name: 'step-up-wrong-by-person',
  hits: 30,
  windowMs: 86_400_000,
};

export interface StepUpCodesOptions {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly hash: SecretHash;
  readonly limits: RateLimits;
  readonly guesses: AccountGuesses;
  readonly messenger: Messenger;
}

export function createStepUpCodes(options: StepUpCodesOptions): StepUpCodes {
  const { db, clock, hash, limits, guesses, messenger } = options;
  const sendLimits = createStoredSendLimits(limits);
  const subjectOf = ({ person, session }: StepUpSession): string =>
    hash('step-up-subject', person, session).toString('hex');
  const take = async (subject: string, digits: string): Promise<StepUpAnswer> => {
    const tried = await takeTryOfSubject(db, {
      directory: DIRECTORY,
      subject,
      purposes: [PURPOSE],
    });
    const [newest] = tried;
    const at = new Date(clock.now());
    if (newest === undefined || newest.triesLeft <= 0 || newest.expiresAt <= at) {
      return { kind: 'ended' };
    }
    if (!sameBytes(newest.codeHash, hash('step-up-code', newest.codeId, digits))) {
      return { kind: 'wrong', attemptsLeft: newest.triesLeft - 1 };
    }
    const name = { directory: DIRECTORY, codeId: newest.codeId } as const;
    return { kind: (await closeCode(db, name, at)) ? 'right' : 'ended' };
  };
  return {
    async send({ destination, askedFrom, ...session }) {
      const counted = `${PURPOSE} ${session.person}`;
      const waitMs = await sendLimits.take(counted, { current: undefined, session: [] });
      if (waitMs > 0) return { kind: 'too-many', waitMs };
      const digits = newDigits();
      const sentAt = new Date(clock.now());
      const expiresAt = new Date(clock.now() + LOGIN_CODE_VALIDITY_MS);
      const codeId = newId(clock.now());
      await insertCode(db, {
        ...{ codeId, directory: DIRECTORY, subject: subjectOf(session), purpose: PURPOSE },
        ...{ sub: null, codeHash: hash('step-up-code', codeId, digits) },
        ...{ channel: destination.channel, triesLeft: LOGIN_CODE_TRIES, sentAt, expiresAt },
      });
      try {
        await deliverCode(messenger, {
          ...{ destination, digits, sentAt, expiresAt, askedFrom, purpose: PURPOSE },
          attributes: { sub: session.person },
        });
      } catch (cause) {
        await sendLimits.giveBack(counted);
        return { kind: 'not-delivered', cause };
      }
      const resendAfter = new Date(sentAt.getTime() + LOGIN_CODE_RESEND_MS);
      return { kind: 'sent', expiresAt, resendAfter };
    },
    async check({ code, guess, ...session }) {
      const waitMs = await limits.hit(STEP_UP_WRONG_RULE, session.person);
      if (waitMs > 0) return { kind: 'too-many', waitMs };
      let outcome: StepUpAnswer = { kind: 'locked' };
      const right = await guesses.check(guess, async (isOpen) => {
        if (!isOpen) return undefined;
        outcome = await take(subjectOf(session), onlyDigits(code));
        return outcome.kind === 'right' || undefined;
      });
      if (right === true) await limits.undo(STEP_UP_WRONG_RULE, session.person);
      return outcome;
    },
  };
}
