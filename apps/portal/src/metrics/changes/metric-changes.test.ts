import { describe, expect, test } from 'vitest';
import type { MetricMark } from '../use-metric-marks.ts';
import { CAUSE_MS, changesOf, groupChanges, type MetricChange } from './metric-changes.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 5, 15, 8);
const at = (minute: number): number => START_MS + minute * MINUTE_MS;

const change = (minute: number, over: Partial<MetricChange> = {}): MetricChange => ({
  ...{ metric: 'cpuUsedPercent', sinceMs: at(minute - 1), atMs: at(minute), before: 5, after: 80 },
  ...over,
});
const mark = (minute: number): MetricMark => ({
  ...{ id: `mark ${minute}`, kind: 'command', atMs: at(minute), words: 'run', href: undefined },
});

describe('what changed', () => {
  test('is the first point at the new level, after the last one before it', () => {
    const mean = Array.from({ length: 60 }, (_, index) =>
      index >= 20 && index < 25 ? null : index < 25 ? 5 : 80,
    );
    const times = mean.map((_value, index) => new Date(at(index)).toISOString());
    const series = [{ metric: 'cpuUsedPercent', mean, min: mean, max: mean } as const];
    const range = { from: times[0] ?? '', to: times.at(-1) ?? '', stepSeconds: 60 };
    expect(changesOf({ ...range, times, series })).toEqual([
      { metric: 'cpuUsedPercent', sinceMs: at(19), atMs: at(25), before: 5, after: 80 },
    ]);
  });

  test('is listed with what happened in the hour before, newest first', () => {
    const marks = [mark(-62), mark(-60), mark(30), mark(60), mark(62)];
    const [group] = groupChanges([change(60)], marks, MINUTE_MS);
    expect(group?.causes.map(({ id }) => id)).toEqual(['mark 60', 'mark 30']);
    const [earlier] = groupChanges([change(1)], marks, MINUTE_MS);
    expect(earlier?.causes.map(({ id }) => id)).toEqual(['mark -60']);
    expect(CAUSE_MS).toBe(60 * MINUTE_MS);
  });

  test('is one entry for metrics that changed together, newest first', () => {
    const changes = [
      change(10),
      change(11, { metric: 'loadAverage' }),
      change(30, { metric: 'diskUsedPercent' }),
    ];
    const groups = groupChanges(changes, [], MINUTE_MS);
    expect(groups.map((group) => group.changes.map(({ metric }) => metric))).toEqual([
      ['diskUsedPercent'],
      ['cpuUsedPercent', 'loadAverage'],
    ]);
  });
});
