import { expect, it } from 'vitest';
import { createRetry } from './retry-quota.ts';

function failing(verdict: 'time-out' | 'throttled' | 'failure' | 'final') {
  let tries = 0;
  const delaysMs: number[] = [];
  const retry = createRetry({
    classify: () => verdict,
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

it('makes at most three attempts', async () => {
  const { run, tries } = failing('failure');
  await run();
  expect(tries()).toBe(3);
});

it('does not retry after a final error', async () => {
  const { run, tries } = failing('final');
  await run();
  expect(tries()).toBe(1);
});

it.each([
  ['failure', 100],
  ['time-out', 50],
] as const)('the quota of 500 allows %s to be retried %i times', async (verdict, retries) => {
  const { run, delaysMs } = failing(verdict);
  for (let round = 0; round < 200; round += 1) await run();
  expect(delaysMs).toHaveLength(retries);
});
