const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 30 * 60_000;

/** 5 s, 10 s, 20 s … up to half an hour: a code valid for three minutes has six attempts, a notice many more. */
export function retryDelayMs(attemptsSoFar: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, attemptsSoFar - 1), LONGEST_PAUSE_MS);
}
