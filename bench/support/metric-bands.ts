import { METRIC_RETENTION } from '@deviceportal/contract/device-metrics';
import { MOST_BAND_DEVICES } from '@deviceportal/contract/model-band';
import { getModelBand } from '../../apps/server/src/device-metrics/model-band/get-model-band.ts';
import type { Database } from '../../apps/server/src/platform/database/database.ts';
import type { Viewer } from '../../apps/server/src/platform/viewer.ts';
import { printRatio } from '../device-fixture.ts';
import type { InstalledDevice } from '../silent-gateway.ts';

/** Of the slowest usual time range. */
const BAND_LIMIT_MS = 1_500;
const READS = 12;
const HOUR_MS = 3_600_000;

const ranges = {
  'an hour': HOUR_MS,
  'a day': 24 * HOUR_MS,
  'a week': 7 * 24 * HOUR_MS,
  'a month': 30 * 24 * HOUR_MS,
  'a year': 365 * 24 * HOUR_MS,
} as const;

/** What the band of a model costs, with all devices of one model. */
export async function benchBands(
  database: Database,
  viewer: Viewer,
  devices: readonly InstalledDevice[],
): Promise<void> {
  await database.pool.query(`update device set model = 'bench' where id = any($1)`, [
    devices.map(({ deviceId }) => deviceId),
  ]);
  await database.pool.query('vacuum analyze device');
  let slowest = 0;
  for (const [name, lengthMs] of Object.entries(ranges)) {
    const times: number[] = [];
    for (let count = 0; count < READS; count += 1) {
      const startedAt = performance.now();
      const band = await getModelBand(
        {
          ...{ database, clock: () => new Date() },
          metrics: { sampleSeconds: 60, retention },
        },
        viewer,
        {
          deviceId: devices[count]?.deviceId ?? '',
          from: new Date(Date.now() - lengthMs).toISOString(),
          to: new Date().toISOString(),
        },
      );
      times.push(performance.now() - startedAt);
      if (band.devices < MOST_BAND_DEVICES / 2) throw new Error('the devices have no metrics');
    }
    times.sort((one, other) => one - other);
    const median = times[times.length >> 1] ?? 0;
    slowest = Math.max(slowest, median);
    console.log(
      `band of ${name}: median ${median.toFixed(0)} ms, slowest ${(times.at(-1) ?? 0).toFixed(0)} ms`,
    );
  }
  printRatio('median of the slowest band', slowest / BAND_LIMIT_MS, { atMost: 1 });
}

const retention = {
  metricSampleDays: METRIC_RETENTION.sampleDays,
  metricQuarterHourDays: METRIC_RETENTION.quarterHourDays,
  metricDayDays: METRIC_RETENTION.dayDays,
};
