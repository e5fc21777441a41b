import { expect, test } from 'vitest';
import { linePoints } from './trend-line.tsx';

const line = (...shares: readonly number[]): number[] =>
  linePoints(shares.map((share, hour) => ({ atMs: hour, share })))
    .split(' ')
    .map((point) => Number(point.split(',')[1]));

test('higher values are drawn higher, and small changes are drawn flat', () => {
  const [low = 0, high = 0] = line(0.2, 0.9);
  expect(low).toBeGreaterThan(high);
  const [one = 0, other = 0] = line(0.9, 0.901);
  expect(Math.abs(one - other)).toBeLessThan(1);
});
