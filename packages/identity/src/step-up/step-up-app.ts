import type { Guess } from '../accounts/account-guesses.ts';
import { listTotps } from '../mfa/totp-store.ts';
import { createTotps } from '../mfa/totp.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { STEP_UP_WRONG_RULE, type StepUpAnswer } from './step-up-codes.ts';

/** Authenticator apps of the provider's users, which confirm users who are signed in. */
export interface StepUpApp {
  /** When the user's app was set up; undefined without one. */
  findSetUpAt(userId: string): Promise<Date | undefined>;
  /** A number counts once. */
  check(userId: string, number: string, guess: Guess): Promise<StepUpAnswer>;
}

export function createStepUpApp(context: ProviderContext): StepUpApp {
  const totps = createTotps(context);
  return {
    async findSetUpAt(userId) {
      const app = (await listTotps(context.db, userId)).find(({ enabled }) => enabled);
      return app?.modifiedAt;
    },
    async check(userId, number, guess) {
      const waitMs = await context.limits.hit(STEP_UP_WRONG_RULE, userId);
      if (waitMs > 0) return { kind: 'too-many', waitMs };
      let isLocked = false;
      const right = await context.guesses.check(guess, async (isOpen) => {
        isLocked = !isOpen;
        return isOpen && (await isRight(() => totps.verify(userId, number))) ? true : undefined;
      });
      if (right !== true) return isLocked ? { kind: 'locked' } : { kind: 'wrong', attemptsLeft: 0 };
      await context.limits.undo(STEP_UP_WRONG_RULE, userId);
      return { kind: 'right' };
    },
  };
}

async function isRight(verify: () => Promise<void>): Promise<boolean> {
  try {
    await verify();
    return true;
  } catch (error) {
    if (error instanceof ProviderError) return false;
    throw error;
  }
}
