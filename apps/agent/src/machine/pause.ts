import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after that time, or at once when the signal says to stop: the caller looks at the signal. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
