import { expect, test } from 'vitest';
import { simulateRule } from './simulate-rule.ts';

const from = new Date('2026-11-13T12:00:00Z');
const to = new Date('2026-11-20T12:00:00Z');
const rule = {
  unit: 'percent',
  above: 3,
  resolveAt: 2,
  holdMinutes: 0,
  resolveMinutes: 5,
  maintenance: [],
} as const;

test('a share above the threshold fires once, with its peak, until it has been low for long enough', () => {
  const deltas = [
    { minute: 60, delta: 3 },
    { minute: 70, delta: 2 },
    { minute: 100, delta: -4 },
    { minute: 101, delta: 3 },
    { minute: 120, delta: -4 },
  ];
  expect(simulateRule(rule, { deltas, total: 100, from, to })).toEqual([
    {
      startedAt: '2026-11-13T13:10:00.000Z',
      resolvedAt: '2026-11-13T14:05:00.000Z',
      peak: 5,
    },
  ]);
});

test('an alert that still fires has no end, and a set without devices never fires', () => {
  const deltas = [{ minute: 10_000, delta: 10 }];
  expect(simulateRule(rule, { deltas, total: 100, from, to })).toMatchObject([
    { resolvedAt: null, peak: 10 },
  ]);
  expect(simulateRule(rule, { deltas: [], total: 0, from, to })).toEqual([]);
});

test('a rule does not fire in its maintenance window, and fires after it', () => {
  const deltas = [{ minute: 60, delta: 10 }];
  const window = { days: [5], from: '14:00', to: '16:00', timeZone: 'Europe/Berlin' };
  // Friday; Berlin is an hour ahead.
  const firings = simulateRule(
    { ...rule, maintenance: [window] },
    { deltas, total: 100, from, to },
  );
  expect(firings).toMatchObject([{ startedAt: '2026-11-13T15:00:00.000Z' }]);
});
