import { expect, test } from 'vitest';
import { MetricBacklog } from './metric-backlog.ts';

test('samples that are added together are the same as samples added one after the other', () => {
  const samples = Array.from({ length: 150 }, (_, index) => ({
    at: 1_790_000_000 + index * 60,
    values: { cpuUsedPercent: index % 90, ...(index % 3 === 0 && { temperatureCelsius: 40 }) },
  }));
  const together = new MetricBacklog();
  together.appendAll(samples);
  const oneByOne = new MetricBacklog();
  for (const sample of samples) oneByOne.append(sample);
  expect(together.next).toBe(151);
  expect(together.oldest(1_000)).toEqual(oneByOne.oldest(1_000));
  together.acknowledge(60);
  expect(together.oldest(1_000)?.block.times).toEqual(samples.slice(60).map(({ at }) => at));
});

test('samples that are added together keep to the limits', () => {
  const backlog = new MetricBacklog({ bytes: 1_000_000, ageSeconds: 3_600 });
  backlog.appendAll(
    Array.from({ length: 300 }, (_, index) => ({
      at: 1_790_000_000 + index * 60,
      values: { cpuUsedPercent: 1 },
    })),
  );
  expect(backlog.dropped).toBeGreaterThan(100);
  expect(backlog.samples).toBeLessThan(200);
});
