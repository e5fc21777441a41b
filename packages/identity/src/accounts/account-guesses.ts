import type { Clock } from '../clock.ts';
import type { SecretHash } from '../secrets/secret-hash.ts';
import { countGuess, deleteGuesses, uncountGuess } from './account-guess-store.ts';
import type { Queryable } from '../database/in-transaction.ts';

/** NIST SP 800-63B, rate limiting: no more than 100 consecutive failed attempts on one account. */
export const MOST_WRONG_GUESSES = 100;

/** An account whose codes or passwords are guessed, with the contact for notifications. */
export interface GuessedAccount {
  readonly id: string;
  readonly username: string;
  /** Only a verified one. */
  readonly contact: { readonly channel: 'email' | 'sms'; readonly to: string } | undefined;
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
}

export interface Guess {
  /** Undefined if no such account exists; the guess is counted anyway. */
  readonly account: GuessedAccount | undefined;
  /** As typed. */
  readonly name: string;
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
}

export type OnAccountLocked = (guess: Guess & { readonly account: GuessedAccount }) => void;

/**
 * Counts consecutive incorrect codes and passwords of each account, for all sign-in methods and
 * addresses. At the limit, the account is locked until an administrator unlocks it. Active sessions
 * continue.
 */
export interface AccountGuesses {
  /**
   * Counts a guess before it is checked, so that concurrent ones are counted, and restores the
   * previous count if it was correct.
   * @param look returns undefined or throws if the guess is incorrect. For a locked account, it
   * must do the same work, so that timing reveals nothing; its result is ignored
   */
  check<Right>(
    guess: Guess,
    look: (isOpen: boolean) => Promise<Right | undefined>,
  ): Promise<Right | undefined>;
  /** The sign-in is complete. */
  reset(accountId: string): Promise<void>;
}

/** No limit, because there is no account to lock. */
const WITHOUT_END = 2 ** 31 - 1;

export function createAccountGuesses(
  db: Queryable,
  options: {
    readonly clock: Clock;
    readonly hash: SecretHash;
    readonly onLocked: OnAccountLocked;
  },
): AccountGuesses {
  const { clock, hash, onLocked } = options;
  return {
    async check(guess, look) {
      const { account } = guess;
      // Guesses at unknown accounts are counted in one of 256 rows, so that they take the same
      // time.
      const subject = account?.id ?? `nobody ${hash('nobody', guess.name)[0]}`;
      const most = account === undefined ? WITHOUT_END : MOST_WRONG_GUESSES;
      const { wrong, refused } = await countGuess(db, subject, { at: new Date(clock.now()), most });
      const isOpen = refused === 0;
      let right: Awaited<ReturnType<typeof look>>;
      try {
        right = await look(isOpen);
      } finally {
        const isWrong = isOpen && right === undefined;
        if (isWrong && account !== undefined && wrong === most) onLocked({ ...guess, account });
      }
      if (!isOpen || right === undefined) return undefined;
      await uncountGuess(db, subject);
      return right;
    },
    reset: (accountId) => deleteGuesses(db, accountId),
  };
}
