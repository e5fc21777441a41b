import { expect, it } from 'vitest';
import { createRetry } from './retry-quota.ts';

function failing(verdict: 'time-out' | 'throttled' | 'failure' | 'final') {
  let tries = 0;
  const delaysMs: number[] = [];
  const retry = createRetry({
    judge: () => verdict,
    sleep: async (delayMs) => void delaysMs.push(delayMs),
    random: () => 1,
  });
  const run = () =>
    retry(async () => {
      tries += 1;
      throw new Error('no');
    }).catch(() => undefined);
  return { run, delaysMs, tries: () => tries };
}

it('[retry-1] three attempts, never more', async () => {
  const { run, tries } = failing('failure');
  await run();
  expect(tries()).toBe(3);
});

it('[retry-2] a final answer is not asked again', async () => {
  const { run, tries } = failing('final');
  await run();
  expect(tries()).toBe(1);
});

it.each([
  ['failure', 100],
  ['time-out', 50],
] as const)(
  '[retry-3] the quota of 500 allows %s to be repeated %i times',
  async (verdict, retries) => {
    const { run, delaysMs } = failing(verdict);
    for (let round = 0; round < 200; round += 1) await run();
    expect(delaysMs).toHaveLength(retries);
  },
);
