import type { MessageChannel } from '../../messenger.ts';
import type { ChallengeRound } from './challenge-triggers.ts';

/** A code that a person can still answer. */
export interface OpenCode {
  /** Names the code in `challengeMetadata` and in the private parameters of a challenge. */
  readonly reference: string;
  readonly channel: MessageChannel;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly triesLeft: number;
}

export interface NewCode {
  /** Undefined for a code without a recipient; no answer to it is correct. */
  readonly digits: string | undefined;
  /** Owner of the code; a newer code of the same owner and place invalidates it. */
  readonly subject: string;
  /** Name of the place; a sign-in started elsewhere does not invalidate the code. */
  readonly place: string | undefined;
  /** Reference of the older code of this very sign-in, which is void from now on. */
  readonly replaces: string | undefined;
  /** The person of the user pool, where there is one. */
  readonly sub: string | undefined;
  readonly channel: MessageChannel;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

export type Rounds = readonly ChallengeRound[];

/**
 * Storage of one-time codes: the database of the embedded pool, or, for functions without one, the
 * data that the pool passes between triggers.
 */
export interface CodeLedger {
  open(code: NewCode): Promise<OpenCode>;
  /** @returns undefined when the code is void, used up or too old */
  find(reference: string, session: Rounds): Promise<OpenCode | undefined>;
  areTriesUsedUp(reference: string, session: Rounds): Promise<boolean>;
  /** Keeps the code without using an attempt, for a round that checked nothing. */
  keep(code: OpenCode): OpenCode;
  /** Takes one try. @returns whether the answer is right, and the first right one */
  check(
    reference: string,
    answer: { readonly digits: string; readonly subject: string },
  ): Promise<boolean>;
}
