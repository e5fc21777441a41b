import { expect, test } from 'vitest';
import { compareFigures, readFigures } from './figures.ts';

test('numbers with a unit are figures, limits and counts are not', () => {
  const output = [
    'click to first line, p95                    64 ms  ratio 0.21 of 300 ms',
    'durable to bare: 0.64 (at least 0.6) held',
    'command to 5,000 devices: 1.88 (at most 2) held',
    'durable: 38,000 events/s',
    '3 roles',
  ].join('\n');
  expect(readFigures(output).map(({ value, direction }) => [value, direction])).toEqual([
    [64, 'lower'],
    [0.64, 'higher'],
    [1.88, 'lower'],
    [38_000, 'higher'],
  ]);
});

test('a lower rate and a longer time both cost more', () => {
  const figures = (rate: number, time: number) =>
    readFigures(`rate ${rate} events/s\ntime ${time} ms`);
  const costs = compareFigures(
    [figures(100, 10), figures(100, 10), figures(1, 99)],
    [figures(50, 20), figures(50, 20), figures(50, 20)],
  );
  expect(costs.map(({ cost }) => cost)).toEqual([2, 2]);
});

test('a figure keeps its name when another case is the slowest', () => {
  const line = (worst: string) => `first page  p50 1.3 ms  p99 5.1 ms  of 25 ms  (worst: ${worst})`;
  const [one, other] = ['everything by name', 'model 7 by lastSeen'].map((worst) =>
    readFigures(line(worst)).map(({ name }) => name),
  );
  expect(one).toEqual(other);
  expect(one).toHaveLength(2);
});
