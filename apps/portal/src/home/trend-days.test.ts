import { expect, test } from 'vitest';
import { trendDays } from './trend-days.ts';

const point = (at: string, online: number) => ({ at, devices: 100, online, withFindings: 10 });

test('shows each day once, newest first: past days at noon, the newest at its latest hour', () => {
  const fleet = [
    point('2026-11-18T03:00:00.000Z', 10),
    point('2026-11-18T12:00:00.000Z', 50),
    point('2026-11-18T23:00:00.000Z', 90),
    point('2026-11-20T01:00:00.000Z', 60),
    point('2026-11-20T02:00:00.000Z', 70),
  ];
  const runs = [
    { day: '2026-11-18', succeeded: 5, failed: 1 },
    { day: '2026-11-19', succeeded: 0, failed: 2 },
  ];
  expect(trendDays(fleet, runs)).toEqual([
    { day: '2026-11-20', online: 0.7, withFindings: 0.1, succeeded: 0, failed: 0 },
    { day: '2026-11-19', online: null, withFindings: null, succeeded: 0, failed: 2 },
    { day: '2026-11-18', online: 0.5, withFindings: 0.1, succeeded: 5, failed: 1 },
  ]);
});

test('a scope without history and an hour without devices have no days', () => {
  const empty = { at: '2026-11-20T01:00:00.000Z', devices: 0, online: 0, withFindings: 0 };
  expect(trendDays(null, null)).toEqual([]);
  expect(trendDays([empty], [])).toEqual([]);
});
