import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metricDefinitions, metricNames } from '@deviceportal/contract/device-metrics';
import { decodeMetricMessage, encodeMetricMessage } from './metric-message.ts';
import { mergeBlocks } from './merge-blocks.ts';
import { blockOf, possibleValues } from './metric-sample.ts';

const instanceId = 'mi-0123456789abcdef0';
const at = Date.UTC(2026, 10, 20) / 1_000;

const sample = (index: number) =>
  blockOf({
    at: at + index * 60,
    values: {
      cpuUsedPercent: 21 + 3 * Math.sin(index),
      loadAverage: 0.7 + 0.1 * Math.cos(index),
      memoryUsedPercent: 48.1 + 0.2 * (index % 3),
      swapUsedPercent: 2,
      diskUsedPercent: 61.3,
      temperatureCelsius: 44.5 + (index % 2) * 0.5,
      networkLatencyMs: 23 + 5 * Math.sin(index * 7),
      networkLossPercent: 0,
      receivedKilobytesPerSecond: 120 + 40 * Math.sin(index * 5),
      sentKilobytesPerSecond: 20 + 9 * Math.cos(index * 3),
      processRestarts: 0,
      clockOffsetMs: -12 + (index % 5),
    },
  });

describe('a message with metrics', () => {
  test('takes less than 3 bytes per value for 5 samples of 12 values', () => {
    const block = mergeBlocks(Array.from({ length: 5 }, (_, index) => sample(index)));
    const bytes = encodeMetricMessage({ instanceId, upTo: 1_000_000, dropped: 0, block });
    expect(bytes.length / (5 * 12)).toBeLessThan(3);
    expect(decodeMetricMessage(bytes)).toEqual({ instanceId, upTo: 1_000_000, dropped: 0, block });
  });

  test('of any bytes is read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeMetricMessage(Uint8Array.from([1, ...bytes]));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a sample', () => {
  test('does not contain what was not measured, and never 0 instead', () => {
    const block = blockOf({
      at,
      values: { cpuUsedPercent: Number.NaN, memoryUsedPercent: Infinity, diskUsedPercent: 101 },
    });
    expect(block.columns.size).toBe(0);
  });

  test('loses values that are not possible, and metrics that this release does not know', () => {
    const columns = new Map([
      [metricDefinitions.cpuUsedPercent.id, [1_001, 1_000, -1, null]],
      [4_000, [1, 2, 3, 4]],
    ]);
    const kept = possibleValues({ times: [1, 2, 3, 4], columns });
    expect([...kept.columns]).toEqual([
      [metricDefinitions.cpuUsedPercent.id, [null, 1_000, null, null]],
    ]);
  });
});

test('each metric has an ID of its own', () => {
  const ids = metricNames.map((name) => metricDefinitions[name].id);
  expect(new Set(ids).size).toBe(ids.length);
});
