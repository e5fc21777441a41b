import { describe, expect, test } from 'vitest';
import { completedOf, elapsedMs, refreshIntervalMs } from './invocation-progress.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

describe('elapsed time and refresh', () => {
  test('a final result is not refreshed', () => {
    expect(refreshIntervalMs('Failed', 0)).toBe(false);
  });

  test('refreshes every 2 s for the first 20 s, then every 10000 ms until final', () => {
    expect(refreshIntervalMs('InProgress', 19_999)).toBe(2_000);
    expect(refreshIntervalMs('InProgress', 20_000)).toBe(10_000);
    expect(refreshIntervalMs('Delayed', 3_600_000)).toBe(10_000);
  });

  test('the duration counts from the start on the device and stops at the end', () => {
    const now = Date.parse(at(40));
    expect(elapsedMs({ queuedAt: at(0), startedAt: null, endedAt: null }, now)).toBe(40_000);
    expect(elapsedMs({ queuedAt: at(0), startedAt: at(30), endedAt: null }, now)).toBe(10_000);
    expect(elapsedMs({ queuedAt: at(0), startedAt: at(30), endedAt: at(33) }, now)).toBe(3_000);
  });

  test('a clock that is behind never shows a negative duration', () => {
    expect(elapsedMs({ queuedAt: at(10), startedAt: null, endedAt: null }, Date.parse(at(0)))).toBe(
      0,
    );
  });

  test('completed invocations include every final result', () => {
    const counters = {
      target: 8,
      pending: 2,
      inProgress: 1,
      success: 2,
      failed: 1,
      timedOut: 1,
      cancelled: 1,
    };
    expect(completedOf(counters)).toEqual({ count: 5, percent: 62 });
  });
});
