import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until the answer is true. */
export async function until(
  isDone: () => Promise<boolean>,
  { what, everyMs = 10, limitMs = 300_000 }: UntilOptions,
): Promise<void> {
  const endsAt = performance.now() + limitMs;
  while (!(await isDone())) {
    if (performance.now() > endsAt) throw new Error(`${what}: not within ${limitMs} ms`);
    await sleep(everyMs);
  }
}

interface UntilOptions {
  readonly what: string;
  readonly everyMs?: number;
  readonly limitMs?: number;
}
