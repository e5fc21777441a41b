import {
  RETRY_ATTEMPTS,
  RETRY_BACKOFF_CAP_MS,
  RETRY_COST_FAILURE,
  RETRY_COST_TIMEOUT,
  RETRY_QUOTA,
} from '@deviceportal/contract/constants';

export interface RetryRules {
  /** Whether an error can be retried, and its cost. */
  readonly classify: (error: unknown) => 'time-out' | 'throttled' | 'failure' | 'final';
  readonly sleep: (delayMs: number) => Promise<void>;
  /** 0 … 1. */
  readonly random: () => number;
}

export type Retry = <Result>(attempt: () => Promise<Result>) => Promise<Result>;

const BASE_DELAY_MS = 100;
const THROTTLED_DELAY_MS = 500;

/**
 * Our own implementation: StandardRetryStrategy of @smithy/core has the same rules, but adds 6.2 kB
 * (gzip) to the first load of the sign-in page, compared with 0.3 kB.
 *
 * The required retry (docs/design/portal.md, section 9): 3 attempts, back-off of at most 20 s, and
 * a quota of 500. A time-out costs 10, other failures 5. A success returns the cost of its own
 * retries, or 1.
 */
export function createRetry({ classify, sleep, random }: RetryRules): Retry {
  let quota = RETRY_QUOTA;
  return async (attempt) => {
    let taken = 0;
    for (let tries = 1; ; tries += 1) {
      try {
        const result = await attempt();
        quota = Math.min(RETRY_QUOTA, quota + (taken === 0 ? 1 : taken));
        return result;
      } catch (error) {
        const verdict = classify(error);
        const cost = verdict === 'time-out' ? RETRY_COST_TIMEOUT : RETRY_COST_FAILURE;
        if (verdict === 'final' || tries >= RETRY_ATTEMPTS || quota < cost) throw error;
        quota -= cost;
        taken = cost;
        const base = verdict === 'throttled' ? THROTTLED_DELAY_MS : BASE_DELAY_MS;
        await sleep(Math.floor(Math.min(RETRY_BACKOFF_CAP_MS, random() * 2 ** tries * base)));
      }
    }
  };
}
