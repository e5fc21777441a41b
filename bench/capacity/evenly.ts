import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const SLOT_MS = 20;

/** Calls `act` with 0, 1, 2 … evenly over a time. Returns the number of calls. */
export async function evenly(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  act: (index: number) => void,
): Promise<number> {
  const total = Math.round(perSecond * seconds);
  const startedAt = performance.now();
  let done = 0;
  while (done < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1_000) * perSecond));
    for (; done < due; done += 1) act(done);
    await sleep(SLOT_MS);
  }
  return done;
}
