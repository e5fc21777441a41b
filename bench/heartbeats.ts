import { parseArgs } from 'node:util';
import { benchConnection, openBenchDatabase, openTempDir, printRatio } from './device-fixture.ts';
import {
  loggedBytes,
  silentGateway,
  storeInstalled,
  type InstalledDevice,
} from './silent-gateway.ts';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import type { GatewayDependencies } from '../apps/server/src/gateway/gateway-dependencies.ts';
import { HeartbeatIngest } from '../apps/server/src/gateway/ingest-heartbeats.ts';
import { sweepPresence } from '../apps/server/src/gateway/sweep-presence.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';

/** Bytes that PostgreSQL logs for three heartbeats per minute against one. */
const WRITE_LIMIT = 1.3;
/** Time for three times as many messages. */
const TIME_LIMIT = 3;
/** One search for silent devices against the time until the next one. */
const SEARCH_LIMIT = 0.2;
const SEARCH_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;

/**
 * What the heartbeats of a connected fleet cost behind an external broker, at 60 and at 20 seconds, and what it costs
 * to find the silent devices. `node bench/heartbeats.ts --devices 100000`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { devices: { type: 'string', default: '100000' } } });
  await using resources = new AsyncDisposableStack();
  const database = await openBenchDatabase(resources, await openTempDir(resources));
  const devices = Array.from({ length: Number(values.devices) }, () => ({
    deviceId: newId(),
    instanceId: newInstanceId(),
  }));
  const fleet = new Fleet(database, devices);
  await store(database, devices, fleet.deps.clock());
  await fleet.minute(60);
  const rare = await fleet.minute(60);
  await fleet.minute(20);
  const frequent = await fleet.minute(20);
  for (const [name, { spentMs, bytes }] of Object.entries({ '60 s': rare, '20 s': frequent }))
    console.log(
      `${devices.length} devices, a minute at ${name}: ${(bytes / 1e6).toFixed(1)} MB logged, ${spentMs.toFixed(0)} ms`,
    );
  printRatio('written at 20 s against 60 s', frequent.bytes / rare.bytes, { atMost: WRITE_LIMIT });
  printRatio('time at 20 s against 60 s', frequent.spentMs / rare.spentMs, { atMost: TIME_LIMIT });
  const startedAt = performance.now();
  await sweepPresence(fleet.deps, MINUTE_MS);
  const searchMs = performance.now() - startedAt;
  console.log(`search for silent devices: ${searchMs.toFixed(0)} ms`);
  printRatio('search', searchMs / SEARCH_EVERY_MS, { atMost: SEARCH_LIMIT });
}

/** A gateway whose clock passes a second with each second of heartbeats. */
class Fleet {
  readonly deps: GatewayDependencies;
  readonly #devices: readonly InstalledDevice[];
  #nowMs = Date.now();

  constructor(database: Database, devices: readonly InstalledDevice[]) {
    this.#devices = devices;
    this.deps = silentGateway(database, { clock: () => new Date(this.#nowMs) });
  }

  /** All heartbeats of a minute. */
  async minute(everySeconds: number): Promise<{ spentMs: number; bytes: number }> {
    const { database } = this.deps;
    await database.pool.query('checkpoint');
    const before = await loggedBytes(database);
    const perSecond = Math.ceil(this.#devices.length / everySeconds);
    const recorders = { refusals: { record() {} }, overflow: { note() {} } };
    await using ingest = new HeartbeatIngest(this.deps, recorders, {
      ...{ onHeard: () => {}, waitMs: 1 },
    });
    let spentMs = 0;
    for (let second = 0; second < 60; second += 1) {
      const from = (second % everySeconds) * perSecond;
      const startedAt = performance.now();
      await Promise.all(
        this.#devices
          .slice(from, from + perSecond)
          .map((device) => ingest.take(this.#heartbeatOf(device, everySeconds))),
      );
      spentMs += performance.now() - startedAt;
      this.#nowMs += 1_000;
    }
    return { spentMs, bytes: (await loggedBytes(database)) - before };
  }

  #heartbeatOf({ deviceId, instanceId }: InstalledDevice, everySeconds: number) {
    const heartbeat = {
      ...{ instanceId, everySeconds, connectionRevision: benchConnection.revision },
      ...{ at: new Date(this.#nowMs).toISOString(), failing: [] },
      ...{ diskUsedPercent: 41, memoryUsedPercent: 63, uptimeSeconds: this.#nowMs / 1_000 },
    };
    return { deviceId, payload: Buffer.from(JSON.stringify(heartbeat)) };
  }
}

async function store(
  database: Database,
  devices: readonly InstalledDevice[],
  at: Date,
): Promise<void> {
  const { pool } = database;
  await storeInstalled(database, devices);
  const input = [devices.map(({ deviceId }) => deviceId), devices.map((each) => each.instanceId)];
  const rows = 'unnest($1::uuid[], $2::text[]) as d(id, instance)';
  await pool.query(
    `insert into device_status (device_id, name, lifecycle, instance_id, connectivity, connectivity_since,
       seen_rank, last_seen_at, connection_id)
     select id, 'bench', 'active', instance, 'online', $3, 'infinity', $3, gen_random_uuid() from ${rows}
     on conflict (device_id) do update set lifecycle = 'active', instance_id = excluded.instance_id,
       connectivity = 'online', connectivity_since = $3, seen_rank = 'infinity', last_seen_at = $3`,
    [...input, at],
  );
  await pool.query('vacuum analyze device_status');
}

await main();
