import { expect, test } from 'vitest';
import { WatchThrottle } from './watch-throttle.ts';

test('limits how often a viewer may change what it watches', () => {
  const throttle = new WatchThrottle();
  const at = (nowMs: number) => throttle.take(nowMs);
  expect(Array.from({ length: 10 }, () => at(10_000))).toEqual(Array.from({ length: 10 }, () => 0));
  expect(at(10_000)).toBe(250);
  expect(at(10_249)).toBeCloseTo(1);
  expect(at(10_250)).toBe(0);
  expect(at(10_250)).toBe(250);
});
