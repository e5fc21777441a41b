import { parseArgs } from 'node:util';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { METRIC_RETENTION } from '@deviceportal/contract/device-metrics';
import { builtinRoles } from '@deviceportal/contract/permissions';
import { encodeBlock } from '@deviceportal/device-protocol/metric-block';
import { upTopic, downTopic } from '@deviceportal/device-protocol/topics';
import { ensureMetricPartitions } from '../apps/server/src/device-metrics/data/metric-partitions.ts';
import { getDeviceMetrics } from '../apps/server/src/device-metrics/get-device-metrics.ts';
import {
  blockOfPoints,
  pointsOfSamples,
  widenPoints,
} from '../apps/server/src/device-metrics/metric-points.ts';
import { framedBlock } from '../apps/server/src/device-metrics/stored-blocks.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import type { Viewer } from '../apps/server/src/platform/viewer.ts';
import { openBenchDatabase, openTempDir, printRatio } from './device-fixture.ts';
import { benchBands } from './support/metric-bands.ts';
import { messageBytes, MetricFleet, sampleBlock } from './metrics-fleet.ts';
import { storeInstalled, type InstalledDevice } from './silent-gateway.ts';

/** One minute of all devices, from decoding to the last commit. */
const WRITE_LIMIT_MS = 15_000;
const READ_LIMIT_MS = 50;
/** Ten times the devices against the time of one read. */
const GROWTH_LIMIT = 2;
const BYTES_PER_VALUE_LIMIT = 6;
const DAY_SECONDS = 86_400;
const MINUTES = 6;
const READS = 400;
/** Fixed header and lengths of a PUBLISH with QoS 0 (MQTT 3.1.1, section 3.3), and a TLS 1.3 record with AES-GCM. */
const PACKET_BYTES = 2 + 2 + 22;
const TEMPLATES = 40;
/** Different devices of which the others are copies. */
const FILL_TEMPLATES = 8;

/**
 * What metrics of a fleet cost: writing a minute, reading a device's 30 days and the band of its
 * model, and bytes on the wire and on disk. `node bench/metrics.ts --devices 100000 --filled 10000`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '100000' },
      filled: { type: 'string', default: '10000' },
    },
  });
  await using resources = new AsyncDisposableStack();
  const database = await openBenchDatabase(resources, await openTempDir(resources));
  const devices = Array.from({ length: Number(values.devices) }, () => ({
    deviceId: newId(),
    instanceId: newInstanceId(),
  }));
  await storeInstalled(database, devices);
  printWireBytes();
  await benchWriting(database, devices);
  await database.pool.query('truncate device_metric_hour, device_metric_pending');
  await ensureMetricPartitions(database, { now: new Date(), sampleDays: FILLED_DAYS });
  await benchReading(database, devices, Number(values.filled));
}

function printWireBytes(): void {
  const instanceId = newInstanceId();
  const deviceId = newId();
  for (const samples of [1, 5, 15, 60]) {
    const bytes = Array.from({ length: TEMPLATES }, (_, plan) =>
      messageBytes(plan, { instanceId, samples }),
    );
    const payload = mean(bytes.map(({ length }) => length));
    const count = mean(Array.from({ length: TEMPLATES }, (_, plan) => valuesOf(plan, samples)));
    const up = payload + upTopic(deviceId, 'metrics').length + PACKET_BYTES;
    const ack = '{"upTo":123456}'.length + downTopic(deviceId, 'metrics-ack').length + PACKET_BYTES;
    console.log(
      `${samples} samples a message: ${(payload / samples).toFixed(1)} bytes per sample, ${(payload / count).toFixed(2)} per value; with MQTT and TLS ${(up / count).toFixed(2)}, with the acknowledgement ${((up + ack) / count).toFixed(2)}`,
    );
    if (samples === 5)
      printRatio('bytes per value over the wire', (up + ack) / count, {
        atMost: BYTES_PER_VALUE_LIMIT,
      });
  }
}

const valuesOf = (plan: number, samples: number): number =>
  [...sampleBlock(plan, { samples }).columns.values()].reduce((sum, { length }) => sum + length, 0);

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

async function benchWriting(
  database: Database,
  devices: readonly InstalledDevice[],
): Promise<void> {
  const fleet = new MetricFleet(database, devices);
  const times: number[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const { spentMs, loggedBytes } = await fleet.minute(minute);
    times.push(spentMs);
    console.log(
      `${devices.length} devices, minute ${minute + 1}, one message each: ${spentMs.toFixed(0)} ms, ${(loggedBytes / devices.length).toFixed(0)} bytes logged per device`,
    );
  }
  printRatio(
    'a minute of all devices, from decoding to commit',
    Math.max(...times) / WRITE_LIMIT_MS,
    {
      atMost: 1,
    },
  );
  const { spentMs, loggedBytes } = await fleet.fiveMinutes(MINUTES);
  console.log(
    `${devices.length} devices, five minutes in one message each: ${spentMs.toFixed(0)} ms, ${(loggedBytes / devices.length).toFixed(0)} bytes logged per device`,
  );
}

async function benchReading(
  database: Database,
  devices: readonly InstalledDevice[],
  filled: number,
): Promise<void> {
  const few = Math.max(1, Math.round(filled / 10));
  await fill(database, devices.slice(0, few));
  const before = await readAll(database, devices.slice(0, few));
  console.log(`30 days of one of ${few} devices: ${describe(before)}`);
  await fill(database, devices.slice(few, filled));
  await database.pool.query('vacuum analyze');
  const after = await readAll(database, devices.slice(0, filled));
  console.log(`30 days of one of ${filled} devices: ${describe(after)}`);
  printRatio('p99 of reading 30 days', percentile(after, 0.99) / READ_LIMIT_MS, { atMost: 1 });
  printRatio('growth of the median', percentile(after, 0.5) / percentile(before, 0.5), {
    atMost: GROWTH_LIMIT,
  });
  await benchBands(database, viewer, devices.slice(0, filled));
  await printStoredBytes(database, filled);
}

const describe = (times: readonly number[]): string =>
  [0.5, 0.95, 0.99]
    .map((share) => `p${share * 100} ${percentile(times, share).toFixed(1)} ms`)
    .join(', ');

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? 0;

const FILLED_DAYS = 30;
/** Hours whose samples are stored: of yesterday and today. */
const FILLED_HOURS = 48;

/** Rows as they are after 30 days, copied from a few devices. */
async function fill({ pool }: Database, devices: readonly InstalledDevice[]): Promise<void> {
  const today = Math.floor(Date.now() / 1_000 / DAY_SECONDS);
  const days: (readonly [number, number, Uint8Array])[] = [];
  const hours: (readonly [number, number, Uint8Array])[] = [];
  const months: (readonly [number, number, Uint8Array])[] = [];
  for (let plan = 0; plan < FILL_TEMPLATES; plan += 1) {
    const dayAt = (day: number) =>
      pointsOfSamples(sampleBlock(plan, { samples: 1_440, fromSeconds: day * DAY_SECONDS }));
    const day = dayAt(today);
    for (let back = 1; back <= FILLED_DAYS; back += 1) {
      const points = encodeBlock(blockOfPoints(widenPoints(dayAt(today - back), 900)));
      days.push([plan, today - back, points]);
    }
    const month = encodeBlock(blockOfPoints(widenPoints(day, 2_880)));
    for (let back = 0; back < 12; back += 1) months.push([plan, 24_000 + back, month]);
    for (let back = 0; back < FILLED_HOURS; back += 1)
      hours.push([plan, (today + 1) * 24 - 1 - back, hourOf(plan, (today + 1) * 24 - 1 - back)]);
  }
  const ids = devices.map(({ deviceId }) => deviceId);
  for (const [table, key, column, rows] of [
    ['device_metric_day', 'day', 'points', days],
    ['device_metric_month', 'month', 'points', months],
    ['device_metric_hour', 'hour', 'samples', hours],
  ] as const)
    for (const at of new Set(rows.map(([, number]) => number))) {
      const bytes = rows.filter(([, number]) => number === at).map(([, , each]) => each);
      await pool.query(
        `insert into ${table} (device_id, ${key}, ${column})
         select d.id, $2, ($3::bytea[])[d.place % ${FILL_TEMPLATES} + 1]
         from unnest($1::uuid[]) with ordinality as d(id, place)`,
        [ids, at, bytes.map((each) => Buffer.from(each))],
      );
    }
}

/** An hour of samples as twelve messages of five, as they arrive. */
const hourOf = (plan: number, hour: number): Uint8Array =>
  Buffer.concat(
    Array.from({ length: 12 }, (_, part) =>
      framedBlock(sampleBlock(plan, { samples: 5, fromSeconds: hour * 3_600 + part * 300 })),
    ),
  );

const viewer: Viewer = {
  ...{ userId: newId(), subject: 'bench', username: 'bench', displayName: 'Bench' },
  ...{ email: 'bench@example.com', roles: ['Administrator'], admitted: true },
  grants: builtinRoles.filter(({ name }) => name === 'Administrator'),
  signedInAt: new Date(),
};

async function readAll(
  database: Database,
  devices: readonly InstalledDevice[],
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let count = -20; count < READS; count += 1) {
    const device = devices[Math.floor(Math.random() * devices.length)];
    const startedAt = performance.now();
    const found = await getDeviceMetrics(
      {
        ...{ database, clock: () => new Date() },
        metrics: { sampleSeconds: 60, retention },
      },
      viewer,
      {
        deviceId: device?.deviceId ?? '',
        from: new Date(Date.now() - FILLED_DAYS * DAY_SECONDS * 1_000).toISOString(),
        to: new Date().toISOString(),
        points: 300,
      },
    );
    if (found.times.length < 100) throw new Error('the device has no metrics');
    if (count >= 0) times.push(performance.now() - startedAt);
  }
  return times;
}

const retention = {
  metricSampleDays: METRIC_RETENTION.sampleDays,
  metricQuarterHourDays: METRIC_RETENTION.quarterHourDays,
  metricDayDays: METRIC_RETENTION.dayDays,
};

async function printStoredBytes({ pool }: Database, devices: number): Promise<void> {
  const perRow = async (table: string): Promise<number> => {
    const { rows } = await pool.query(
      `select sum(pg_total_relation_size(inhrelid))::float8 as bytes,
         (select count(*) from ${table})::float8 as rows
       from pg_inherits where inhparent = $1::regclass`,
      [table],
    );
    return rows[0].bytes / rows[0].rows;
  };
  const [hour, day, month] = [
    await perRow('device_metric_hour'),
    await perRow('device_metric_day'),
    await perRow('device_metric_month'),
  ];
  const parts = [
    METRIC_RETENTION.sampleDays * 24 * hour,
    METRIC_RETENTION.quarterHourDays * day,
    (METRIC_RETENTION.dayDays / 30.4) * month,
  ];
  const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(0)} kB`;
  console.log(
    `stored with indexes, ${devices} devices: ${hour.toFixed(0)} bytes per device and hour, ${day.toFixed(0)} per device and day, ${month.toFixed(0)} per device and month`,
  );
  console.log(
    `per device: samples of 7 days ${kilobytes(parts[0] ?? 0)}, quarters of an hour of 90 days ${kilobytes(parts[1] ?? 0)}, days of 3 years ${kilobytes(parts[2] ?? 0)}`,
  );
  console.log(
    `per device and year: ${kilobytes((parts[0] ?? 0) + (parts[1] ?? 0) + 12 * month)} stored at its end; 1,000,000 devices: ${(((parts[0] ?? 0) + (parts[1] ?? 0) + 12 * month) / 1_000).toFixed(0)} GB`,
  );
}

await main();
