import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEAST_BAND_DEVICES } from '@deviceportal/contract/model-band';
import { METRIC_RETENTION } from '@deviceportal/contract/device-metrics';
import type { MetricPoints } from '../metric-points.ts';
import { bandOf } from './band-of.ts';
import { planBand } from './band-plan.ts';

const CPU = 1;
const steps = { stepSeconds: 900, range: { from: 9_000, to: 9_000 + 4 * 900 } };

/** Values in consecutive intervals. */
const device = (...mean: (number | null)[]): MetricPoints => ({
  times: mean.map((_value, index) => 9_000 + index * 900),
  metrics: new Map([[CPU, { mean, min: mean, max: mean }]]),
});
const devices = (count: number, ...mean: (number | null)[]): MetricPoints[] =>
  Array.from({ length: count }, () => device(...mean));

describe('the band of a model', () => {
  test('is the median and the 10th and 90th percentile of the devices', () => {
    const found = Array.from({ length: 11 }, (_, index) => device(index * 10));
    expect(bandOf(found, steps).metrics.get(CPU)).toEqual({
      median: [50, null, null, null],
      low: [10, null, null, null],
      high: [90, null, null, null],
    });
  });

  test('has a gap where too few devices have a value', () => {
    const found = [...devices(LEAST_BAND_DEVICES - 1, 5, 5), device(5, null)];
    expect(bandOf(found, steps).metrics.get(CPU)?.median).toEqual([5, null, null, null]);
  });

  test('does not exist with too few devices', () => {
    expect(bandOf(devices(LEAST_BAND_DEVICES - 1, 5, 5, 5, 5), steps).metrics.size).toBe(0);
  });

  test('lies within the values, in order, whatever the values are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 10, maxLength: 60 }),
        (values) => {
          const band = bandOf(
            values.map((value) => device(value)),
            steps,
          ).metrics.get(CPU);
          const [low = NaN, median = NaN, high = NaN] = [
            band?.low[0] ?? undefined,
            band?.median[0] ?? undefined,
            band?.high[0] ?? undefined,
          ];
          expect(low).toBeLessThanOrEqual(median);
          expect(median).toBeLessThanOrEqual(high);
          expect(low).toBeGreaterThanOrEqual(Math.min(...values));
          expect(high).toBeLessThanOrEqual(Math.max(...values));
        },
      ),
    );
  });
});

describe('the intervals of a band', () => {
  const DAY = 86_400;
  const nowSeconds = 20_000 * DAY + 40_000;
  const plan = (fromDaysAgo: number, days: number, sampleSeconds = 60) =>
    planBand(
      { from: nowSeconds - fromDaysAgo * DAY, to: nowSeconds - (fromDaysAgo - days) * DAY },
      {
        ...{ nowSeconds, sampleSeconds },
        retention: {
          metricSampleDays: METRIC_RETENTION.sampleDays,
          metricQuarterHourDays: METRIC_RETENTION.quarterHourDays,
          metricDayDays: METRIC_RETENTION.dayDays,
        },
      },
    );

  test.each([
    ['an hour', 1 / 24, 1 / 24, 'sample', 300],
    ['a day', 1, 1, 'sample', 900],
    ['a week', 7, 7, 'quarter-hour', 7_200],
    ['a month', 30, 30, 'day', DAY],
    ['a year', 365, 365, 'day', 5 * DAY],
    ['an hour of last week', 10, 1 / 24, 'quarter-hour', 900],
    ['an hour of last year', 200, 1 / 24, 'day', DAY],
  ])('of %s are as short as its data and its length allow', (_name, ago, days, source, step) => {
    expect(plan(ago, days)).toMatchObject({ source, stepSeconds: step });
  });

  test('have at least two samples of devices that measure rarely', () => {
    expect(plan(1, 1, 3_600).stepSeconds).toBe(7_200);
  });

  test('are whole, include the range, and are at most about a hundred', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 3_000, noNaN: true }),
        fc.double({ min: 0.005, max: 1, noNaN: true }),
        (ago, part) => {
          const from = nowSeconds - ago * DAY;
          const { range, stepSeconds } = plan(ago, ago * part);
          expect(range.from % stepSeconds).toBe(0);
          expect(range.to % stepSeconds).toBe(0);
          expect(range.from).toBeLessThanOrEqual(from);
          expect(range.to).toBeGreaterThanOrEqual(from + ago * part * DAY - 1);
          expect((range.to - range.from) / stepSeconds).toBeLessThanOrEqual(102);
        },
      ),
    );
  });
});
