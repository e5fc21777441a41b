import type { MessageChannel } from '../../messenger.ts';
import type { ChallengeRound } from './challenge-triggers.ts';

/** A code that can still be entered. */
export interface OpenCode {
  /** Identifies the code in `challengeMetadata` and in the private parameters of a challenge. */
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
  /** Reference of the previous code of the same sign-in, which is invalidated. */
  readonly replaces: string | undefined;
  /** The user-pool user; undefined if there is none. */
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
  /** @returns undefined if the code is invalidated, used up, or expired */
  find(reference: string, session: Rounds): Promise<OpenCode | undefined>;
  areTriesUsedUp(reference: string, session: Rounds): Promise<boolean>;
  /** Keeps the code without using an attempt, for a round that checked nothing. */
  keep(code: OpenCode): OpenCode;
  /** Uses one try. @returns true only for the first correct answer */
  check(
    reference: string,
    answer: { readonly digits: string; readonly subject: string },
  ): Promise<boolean>;
}
