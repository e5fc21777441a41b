import { expect, test } from 'vitest';
import { WatchPace } from './watch-pace.ts';

test('a viewer cannot say without end what it looks at', () => {
  const pace = new WatchPace();
  const at = (nowMs: number) => pace.take(nowMs);
  expect(Array.from({ length: 10 }, () => at(10_000))).toEqual(Array.from({ length: 10 }, () => 0));
  expect(at(10_000)).toBe(250);
  expect(at(10_249)).toBeCloseTo(1);
  expect(at(10_250)).toBe(0);
  expect(at(10_250)).toBe(250);
});
