import { expect, test } from 'vitest';
import { monthsApart, newestFirst } from './period-batches.ts';

const period = (month: string, firstDay = 1, lastDay = 28) => ({
  file: `${month}/${firstDay}.parquet`,
  month,
  events: 1_000,
  firstAt: new Date(`${month}-${String(firstDay).padStart(2, '0')}T00:00:00Z`),
  lastAt: new Date(`${month}-${String(lastDay).padStart(2, '0')}T00:00:00Z`),
});

const months = Array.from({ length: 100 }, (_, index) =>
  period(new Date(Date.UTC(2024, -index, 1)).toISOString().slice(0, 7)),
);
const sizes = (batches: Iterable<readonly unknown[]>) => [...batches].map(({ length }) => length);

test('the newest month comes first, and then four times as many, up to 64', () => {
  expect(sizes(newestFirst(months))).toEqual([1, 4, 16, 64, 15]);
  expect([...newestFirst(months)].flat()).toEqual(months);
});

test('a file with events of the same time is in the same batch', () => {
  const files = [period('2024-03', 10, 28), period('2024-03', 1, 10), period('2024-02')];
  expect(sizes(newestFirst(files))).toEqual([2, 1]);
});

test('files of one month are in different batches, in their order', () => {
  const files = [period('2024-03', 10, 28), period('2024-03', 1, 9), period('2024-02')];
  expect(sizes(monthsApart(files))).toEqual([1, 2]);
  expect(sizes(monthsApart(months))).toEqual([24, 24, 24, 24, 4]);
});
