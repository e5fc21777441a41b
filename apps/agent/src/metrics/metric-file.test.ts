import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger as log } from '../logger.ts';
import { openMetricFile, type MetricFile } from './metric-file.ts';
import type { BacklogLimits } from './metric-backlog.ts';

let stateDirectory: string;
beforeEach(() => {
  stateDirectory = mkdtempSync(join(tmpdir(), 'metrics-'));
});
afterEach(() => rmSync(stateDirectory, { recursive: true, force: true }));

const path = (): string => join(stateDirectory, 'metrics.bin');
const open = (limits?: BacklogLimits): MetricFile =>
  openMetricFile({ stateDirectory, log, ...(limits && { limits }) });

const START = 1_790_000_000;
function take(file: MetricFile, count: number, from = 0): void {
  for (let index = from; index < from + count; index += 1)
    file.append({
      at: START + index * 60,
      values: { cpuUsedPercent: 20 + 9 * Math.sin(index), diskUsedPercent: 40, loadAverage: 0.5 },
    });
}

const timesOf = (file: MetricFile): readonly number[] => file.oldest(100_000)?.block.times ?? [];

describe('samples in the state directory', () => {
  test('outlast a process that ended without closing the file', () => {
    take(open(), 130);
    using again = open();
    expect(again.samples).toBe(130);
    expect(timesOf(again).at(-1)).toBe(START + 129 * 60);
  });

  test('outlast kill -9 during writing, except for a record that is incomplete', async () => {
    const program = `
      const { openMetricFile } = await import(${JSON.stringify(join(import.meta.dirname, 'metric-file.ts'))});
      const file = openMetricFile({ stateDirectory: ${JSON.stringify(stateDirectory)}, log: () => {} });
      for (let index = 0; ; index += 1) {
        file.append({ at: ${START} + index * 60, values: { cpuUsedPercent: index % 100 } });
        if (index === 200) process.stdout.write('enough');
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    using again = open();
    const times = timesOf(again);
    expect(again.samples).toBeGreaterThan(200);
    // None is missing in between.
    expect(times).toEqual(times.map((_time, index) => (times[0] ?? 0) + index * 60));
  });

  test.each([
    ['cut', () => truncateSync(path(), readFileSync(path()).length - 3)],
    ['changed', () => writeFileSync(path(), flipped(readFileSync(path()), -3))],
    [
      'followed by the length of another record',
      () => appendFileSync(path(), Uint8Array.of(255, 255, 255, 127)),
    ],
  ])('are read up to a last record that is %s, and continue after it', (_name, damage) => {
    take(open(), 10);
    damage();
    const again = open();
    const kept = again.samples;
    expect(kept).toBeGreaterThanOrEqual(9);
    take(again, 5, 20);
    using third = open();
    expect(third.samples).toBe(kept + 5);
  });

  test('are deleted when acknowledged, also after a restart', () => {
    const file = open();
    take(file, 200);
    const part = file.oldest(120);
    expect(part?.block.times.length).toBe(120);
    file.acknowledge(part?.upTo ?? 0);
    expect(file.samples).toBe(80);
    file[Symbol.dispose]();
    using again = open();
    expect(timesOf(again)[0]).toBe(START + 120 * 60);
    take(again, 1, 300);
    expect(again.oldest(1_000)?.upTo).toBe(201);
  });

  test('stay within their size, lose the oldest first, and count what was lost', () => {
    const limits = { bytes: 4_096, ageSeconds: 1e9 };
    const file = open(limits);
    take(file, 5_000);
    expect(file.samples + file.dropped).toBe(5_000);
    expect(file.dropped).toBeGreaterThan(0);
    expect(file.bytes).toBeLessThan(4_096 * 2 + 64 * 1_024);
    const part = file.oldest(120);
    expect(part?.dropped).toBe(file.dropped);
    file.acknowledge(part?.upTo ?? 0);
    expect(file.dropped).toBe(0);
  });

  test('are not kept longer than their limit', () => {
    using file = open({ bytes: 1e6, ageSeconds: 3_600 });
    take(file, 300);
    expect(timesOf(file)[0]).toBeGreaterThanOrEqual(START + (299 - 60 - 60) * 60);
  });

  test('are kept at a wrong time, until the time of the server is known', () => {
    using file = open({ bytes: 1e6, ageSeconds: 3_600 });
    take(file, 10);
    const year = 366 * 86_400;
    const values = { cpuUsedPercent: 1 };
    file.append({ at: START + year, values }, { isTimeKnown: false });
    expect(file.samples).toBe(11);
    expect(timesOf(file)[0]).toBe(START);
    file.append({ at: START + year + 60, values });
    expect(file.samples).toBe(2);
  });

  test('take less than 2 bytes per value while they wait', () => {
    const file = open();
    take(file, 1_440);
    file[Symbol.dispose]();
    using again = open();
    expect(again.bytes / (1_440 * 3)).toBeLessThan(2);
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const place = bytes.length + at;
  bytes[place] = (bytes[place] ?? 0) ^ 0xff;
  return bytes;
}
