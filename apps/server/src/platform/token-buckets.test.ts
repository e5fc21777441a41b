import { expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

function bucketsAt(rule = { burst: 3, perSecond: 1 }, maxKeys = 100) {
  const clock = { ms: 0 };
  return { clock, buckets: new TokenBuckets(rule, { now: () => clock.ms, maxKeys }) };
}

test('allows a burst, then refills over time', () => {
  const { clock, buckets } = bucketsAt();
  expect([1, 2, 3, 4].map(() => buckets.of('a').take())).toEqual([true, true, true, false]);
  expect(buckets.of('b').take()).toBe(true);
  clock.ms = 1_000;
  expect([buckets.of('a').take(), buckets.of('a').take()]).toEqual([true, false]);
  clock.ms = 60_000;
  expect([1, 2, 3, 4].map(() => buckets.of('a').take())).toEqual([true, true, true, false]);
});

test('returns the wait for a debt, which is at most one burst', () => {
  const { clock, buckets } = bucketsAt();
  expect(buckets.of('a').owe(3)).toBe(0);
  expect(buckets.of('a').owe(2)).toBe(2_000);
  expect(buckets.of('a').owe(1_000)).toBe(3_000);
  clock.ms = 3_000;
  expect(buckets.of('a').owe(0)).toBe(0);
});

test('removes full buckets and never exceeds the maximum number', () => {
  const { clock, buckets } = bucketsAt({ burst: 1, perSecond: 1 }, 10);
  expect(buckets.of('kept').take()).toBe(true);
  clock.ms = 500;
  for (let key = 0; key < 9; key += 1) buckets.of(`full-${key}`);
  buckets.of('one more').take();
  expect(buckets.of('kept').take()).toBe(false);
  for (let key = 0; key < 1_000; key += 1) buckets.of(`empty-${key}`).take();
  expect(buckets.of('kept').take()).toBe(true);
});
