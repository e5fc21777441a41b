import type { Clock } from '../clock.ts';
import type { SecretHash } from '../secrets/secret-hash.ts';
import { countGuess, deleteGuesses, uncountGuess } from './account-guess-store.ts';
import type { Queryable } from '../database/in-transaction.ts';

/** NIST SP 800-63B, rate limiting: no more than 100 consecutive failed attempts on one account. */
export const MOST_WRONG_GUESSES = 100;

/** Somebody whose codes or passwords are guessed, and where they can be told of it. */
export interface GuessedAccount {
  readonly id: string;
  readonly username: string;
  /** Proven ones only. */
  readonly contact: { readonly channel: 'email' | 'sms'; readonly to: string } | undefined;
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
}

export interface Guess {
  /** Undefined where there is nobody of that name: it is counted all the same. */
  readonly account: GuessedAccount | undefined;
  /** As it was typed. */
  readonly name: string;
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
}

export type OnAccountLocked = (guess: Guess & { readonly account: GuessedAccount }) => void;

/**
 * Consecutive wrong codes and passwords of each account, whichever way and from however many addresses they come. At the
 * limit the account is locked until an administrator unlocks it; sign-ins that go on are left alone.
 */
export interface AccountGuesses {
  /**
   * Counts a guess before it is looked at, so that parallel ones count, and gives it back when it was right: then what
   * stood before still stands.
   * @param look answers undefined, or throws, when the guess is wrong. For a locked account it must do the same work,
   *   so that nothing tells; whatever it finds then is wrong
   */
  judge<Right>(
    guess: Guess,
    look: (isOpen: boolean) => Promise<Right | undefined>,
  ): Promise<Right | undefined>;
  /** The sign-in is complete. */
  reset(accountId: string): Promise<void>;
}

/** No limit: nobody has an account to lock. */
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
    async judge(guess, look) {
      const { account } = guess;
      // Nobody is counted in one of 256 rows: the work must not tell.
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
