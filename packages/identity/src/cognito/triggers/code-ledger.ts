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
  /** Undefined for a code that nobody receives: no answer to it is right. */
  readonly digits: string | undefined;
  /** Whose code it is; their newer code from the same place makes it void. */
  readonly subject: string;
  /** Name of the place; a sign-in that somebody starts elsewhere leaves the code as it is. */
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
 * Where the one-time code keeps its state: in the database of the embedded pool, or, for functions that have none, in
 * what the pool carries from one trigger to the next.
 */
export interface CodeLedger {
  open(code: NewCode): Promise<OpenCode>;
  /** @returns undefined when the code is void, used up or too old */
  find(reference: string, session: Rounds): Promise<OpenCode | undefined>;
  areTriesUsedUp(reference: string, session: Rounds): Promise<boolean>;
  /** A round that checked nothing leaves the code as it is: it takes no try. */
  keep(code: OpenCode): OpenCode;
  /** Takes one try. @returns whether the answer is right, and the first right one */
  check(
    reference: string,
    answer: { readonly digits: string; readonly subject: string },
  ): Promise<boolean>;
}
