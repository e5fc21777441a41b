import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after the delay, or when the signal is aborted. The caller checks the signal. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
