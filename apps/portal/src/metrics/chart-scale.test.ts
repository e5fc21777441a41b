import { describe, expect, test } from 'vitest';
import { chartPaths, nearestIndex } from './chart-paths.ts';
import { timeTicks, valueScale } from './chart-scale.ts';
import { moveSpan, scaleSpan, spanOf, wideEnough, zoomedSpan } from './metric-range.ts';

const HOUR_MS = 3_600_000;
const series = (mean: (number | null)[]) =>
  ({ metric: 'cpuUsedPercent', mean, min: mean, max: mean }) as const;

describe('the scale of values', () => {
  test.each([
    [[3, 97], true, 0, 100],
    [[0, 0], true, 0, 1],
    [[41.2, 44.8], false, 40, 46],
    [[-70, -52], false, -70, -50],
  ])('of %j includes them between round values', (values, isPercent, from, most) => {
    const scale = valueScale(series(values), isPercent);
    expect(scale.from).toBeLessThanOrEqual(Math.min(...values));
    expect(scale.to).toBeGreaterThanOrEqual(Math.max(...values));
    expect(scale.from).toBeGreaterThanOrEqual(from - 10);
    expect(scale.to).toBeLessThanOrEqual(most + 10);
    expect(scale.ticks.length).toBeLessThanOrEqual(6);
  });

  test('exists without any value', () => {
    const { from, to } = valueScale(series([null, null]), false);
    expect(to).toBeGreaterThan(from);
  });
});

describe('a line', () => {
  const frame = { fromMs: 0, toMs: 100, scale: { from: 0, to: 10, ticks: [] } };

  test('is interrupted where nothing was measured', () => {
    const { line, area } = chartPaths([0, 10, 20, 30], series([1, null, 2, 3]), frame);
    expect(line.match(/M/g)).toHaveLength(2);
    expect(area.match(/Z/g)).toHaveLength(2);
  });

  test('shows a single value', () => {
    expect(chartPaths([50], series([5]), frame).line).toBe('M500 60h0.01');
  });

  test('has the point that is nearest to a time', () => {
    expect(nearestIndex([0, 10, 20], 14)).toBe(1);
    expect(nearestIndex([], 14)).toBeUndefined();
  });
});

describe('a time range', () => {
  test('has a few round times', () => {
    for (const hours of [0.1, 1, 6, 24, 168, 720, 8_760]) {
      const ticks = timeTicks(1_790_000_000_000, 1_790_000_000_000 + hours * HOUR_MS, 6);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }
  });

  test.each([
    ['', ''],
    ['yesterday', 'today'],
    ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
    ['0001-01-01T00:00:00Z', '9999-01-01T00:00:00Z'],
  ])('of %s to %s in the address is ignored', (from, to) => {
    expect(zoomedSpan(from, to)).toBeUndefined();
  });

  test('never ends after now, and never becomes too short', () => {
    const nowMs = 1_790_000_000_000;
    const span = spanOf('1h', nowMs);
    expect(moveSpan(span, 1, span.toMs).toMs).toBe(span.toMs);
    expect(scaleSpan(span, 2, span.toMs)).toEqual({
      fromMs: span.toMs - 2 * HOUR_MS,
      toMs: span.toMs,
    });
    const narrow = wideEnough({ fromMs: nowMs, toMs: nowMs + 1 });
    expect(narrow.toMs - narrow.fromMs).toBeGreaterThanOrEqual(300_000);
  });
});
