import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MetricReader } from './metric-reader.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'proc-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

const stat = (
  id: number,
  name: string,
  parent: number,
  started: number,
): Record<string, string> => ({
  [`proc/${id}/stat`]: `${id} (${name}) S ${parent} ${'0 '.repeat(17)}${started} 0\n`,
});

describe('on Linux', () => {
  test('reads levels, and rates since the reading before', async () => {
    let nowMs = 0;
    const reader = new MetricReader({ directory: root, root, platform: 'linux', now: () => nowMs });
    await write({
      'proc/stat': 'cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 1 1 1\n',
      'proc/loadavg': '1.25 0.5 0.1 1/200 4000\n',
      'proc/meminfo':
        'MemTotal: 1000 kB\nMemAvailable: 250 kB\nSwapTotal: 100 kB\nSwapFree: 90 kB\n',
      'proc/net/dev':
        'Inter-|\n face |\n lo: 9 0 0 0 0 0 0 0 9 0\neth0: 1000 0 0 0 0 0 0 0 500 0\n',
      'proc/net/wireless': 'Inter-|\n face |\n wlan0: 0000   54.  -61.  -256        0\n',
      'sys/class/thermal/thermal_zone0/temp': '41500\n',
      'sys/class/thermal/thermal_zone1/temp': '-273000\n',
      'sys/class/power_supply/BAT0/type': 'Battery\n',
      'sys/class/power_supply/BAT0/capacity': '77\n',
      'sys/class/power_supply/mouse/type': 'Battery\n',
      'sys/class/power_supply/mouse/scope': 'Device\n',
      'sys/class/power_supply/mouse/capacity': '5\n',
      ...stat(20, 'app server', 1, 100),
      ...stat(21, 'worker', 20, 100),
    });
    const first = await reader.read();
    expect(first).toMatchObject({
      ...{ loadAverage: 1.25, memoryUsedPercent: 75, swapUsedPercent: 10 },
      ...{ temperatureCelsius: 41.5, batteryPercent: 77, signalDbm: -61 },
    });
    expect(first).not.toHaveProperty('cpuUsedPercent');
    expect(first).not.toHaveProperty('processRestarts');
    nowMs = 10_000;
    await rm(join(root, 'proc/20'), { recursive: true });
    await write({
      'proc/stat': 'cpu  200 0 150 850 0 0 0 0 0 0\n',
      'proc/net/dev':
        'Inter-|\n face |\n lo: 9 0 0 0 0 0 0 0 9 0\neth0: 51000 0 0 0 0 0 0 0 10500 0\n',
      ...stat(30, 'app server', 1, 900),
      ...stat(31, 'new service', 1, 900),
      ...stat(22, 'worker', 30, 900),
    });
    expect(await reader.read()).toMatchObject({
      ...{ cpuUsedPercent: 75, receivedKilobytesPerSecond: 5, sentKilobytesPerSecond: 1 },
      processRestarts: 1,
    });
  });

  test('has no value for what is missing or not readable', async () => {
    await write({
      'proc/meminfo': 'nothing\n',
      'proc/loadavg': '',
      'proc/net/wireless': 'Inter\n',
    });
    const reader = new MetricReader({ directory: join(root, 'none'), root, platform: 'linux' });
    await reader.read();
    expect(await reader.read()).toEqual({});
  });
});

test('elsewhere, reads what Node offers', async () => {
  const reader = new MetricReader({ directory: root, platform: 'win32' });
  const values = await reader.read();
  expect(values.memoryUsedPercent).toBeGreaterThan(0);
  expect(values.diskUsedPercent).toBeGreaterThan(0);
  expect(values).not.toHaveProperty('loadAverage');
  expect(values).not.toHaveProperty('temperatureCelsius');
});
