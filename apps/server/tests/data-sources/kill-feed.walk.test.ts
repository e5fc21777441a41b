import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { startDynamoDbLocal } from '../../../../packages/aws/tests/parts/start-dynamodb-local.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { applySoftware } from '../../src/versions/apply-software.ts';
import { deviceTableLayout } from '../../src/versions/device-table/device-item.ts';
import { createDeviceSource } from '../../src/versions/device-table/device-source.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { createTestDatabase } from '../support/database/create-test-database.ts';
import type { ConsumerOptions } from './feed-consumer.ts';
import { openTable } from './table-fixture.ts';

const KILLS = 50;
const sources = {
  consumer: join(import.meta.dirname, './feed-consumer.ts'),
  adapter: join(import.meta.dirname, '../../../../packages/aws/src/dynamodb-tables.ts'),
};
/** Processes that start while others run. */
const STARTED_AHEAD = 4;

type Components = Readonly<Record<string, string>>;
interface Change {
  readonly deviceId: string;
  readonly at: Date;
  readonly components: Components;
}

test.skipIf(lacks('DynamoDB Local'))(
  `a process that is killed ${KILLS} times loses, repeats, and invents no change of a table`,
  async () => {
    await using part = await startDynamoDbLocal();
    await using db = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'deviceportal-consumer-'));
    const program = await bundle(folder, 'consumer');
    const adapter = await bundle(folder, 'adapter');
    const devices = await seedDevices(db.database, [{}, {}, {}, {}, {}, {}]);
    const [theirs, ours] = [devices.slice(0, 4), devices.slice(4)];
    const table = await openTable(part, db.database, {
      source: createDeviceSource({ clock: () => new Date() }),
      layout: deviceTableLayout,
    });
    await table.settle();

    const { endpoint, region, credentials } = part;
    const options: ConsumerOptions = {
      ...{ databaseUrl: db.url, table: table.name, adapter },
      aws: { endpoint, region, credentials },
    };
    const start = (): Promise<Consumer> => startConsumer(program, options);
    const changeOf = changesOf(new Date(Date.now() - 3_600_000));
    const written: Change[] = [];
    const reported: Change[] = [];
    const writeSome = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) {
        const change = changeOf(theirs);
        written.push(change);
        await table.put({ ...change, at: change.at.toISOString() });
      }
    };
    const reportSome = async (): Promise<void> => {
      for (let count = 0; count < 4; count += 1) {
        const { deviceId, at, components } = changeOf(ours);
        reported.push({ deviceId, at, components });
        const list = Object.entries(components).map(([component, version]) => ({
          ...{ component, version },
        }));
        await inTransaction(db.database, (tx) =>
          applySoftware(tx, [{ deviceId, at, components: list }]),
        );
      }
    };

    const ahead = Array.from({ length: STARTED_AHEAD }, start);
    let pages = 0;
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const consumer = await (ahead.shift() as Promise<Consumer>);
        if (kill + STARTED_AHEAD < KILLS) ahead.push(start());
        const writes = Promise.all([writeSome(), reportSome()]);
        await consumer.work(kill % 4);
        // Between any two statements.
        await sleep(Math.random() * 20);
        pages += await consumer.kill();
        await writes;
      }
    } finally {
      for (const started of await Promise.all(ahead)) await started.kill();
      await rm(folder, { recursive: true, force: true });
    }
    await table.settle();

    expect(pages).toBeGreaterThan(KILLS);
    const { rows: history } = await db.database.orm.execute(sql`
      select device_id, component, version, at from device_version_history order by device_id, at, component`);
    const expected = replay([...written, ...reported]);
    expect(history.map((row) => [row['device_id'], row['component'], row['version']])).toEqual(
      expected.map(({ deviceId, component, version }) => [deviceId, component, version]),
    );
    const last = new Map([...written, ...reported].map((change) => [change.deviceId, change]));
    const { rows: current } = await db.database.orm.execute(sql`
      select device_id, jsonb_object_agg(component, version) as components from device_version group by device_id`);
    const heldHere = new Map(current.map((row) => [row['device_id'], row['components']]));
    const heldThere = new Map(
      (await table.items()).map((item) => [item['deviceId'], item['components']]),
    );
    for (const [deviceId, { components }] of last) {
      expect(heldHere.get(deviceId), deviceId).toEqual(components);
      expect(heldThere.get(deviceId), deviceId).toEqual(components);
    }
    const { rows: audit } = await db.database.orm.execute(sql`
      select device_id, count(*)::int as count from audit_event group by device_id order by device_id`);
    // Nothing came in for the devices that only this side changed.
    expect(audit).toEqual(
      theirs.toSorted().map((deviceId) => ({
        device_id: deviceId,
        count: new Set(
          expected.filter((entry) => entry.deviceId === deviceId).map(({ at }) => at.getTime()),
        ).size,
      })),
    );
  },
  300_000,
);

/** Changes with growing times and random components, at least one. */
function changesOf(from: Date): (devices: readonly string[]) => Change {
  let atMs = from.getTime();
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(Math.random() * values.length)] as Value;
  return (devices) => ({
    deviceId: pick(devices),
    at: new Date((atMs += 1)),
    components: {
      os: pick(['1', '2', '3']),
      ...(Math.random() < 0.5 && { firmware: pick(['1', '2']) }),
    },
  });
}

/** The history of these changes: one entry per component that changed. */
function replay(changes: readonly Change[]) {
  const held = new Map<string, Components>();
  const entries = changes.flatMap(({ deviceId, at, components }) => {
    const before = held.get(deviceId) ?? {};
    held.set(deviceId, components);
    const names = [...new Set([...Object.keys(before), ...Object.keys(components)])].toSorted();
    return names
      .filter((component) => before[component] !== components[component])
      .map((component) => ({
        ...{ deviceId, at, component },
        version: components[component] ?? null,
      }));
  });
  return entries.toSorted(
    (one, other) =>
      (one.deviceId < other.deviceId ? -1 : Number(one.deviceId > other.deviceId)) ||
      one.at.getTime() - other.at.getTime(),
  );
}

interface Consumer {
  /** Lets it work until it has done this many pages. */
  work(pages: number): Promise<void>;
  /** `kill -9`. @returns the pages that it has done */
  kill(): Promise<number>;
}

/** As one file, a process starts in a tenth of the time. */
async function bundle(folder: string, name: keyof typeof sources): Promise<string> {
  await using build = await rolldown({
    input: sources[name],
    platform: 'node',
    external: ['pg-native'],
    logLevel: 'silent',
  });
  const file = join(folder, `${name}.mjs`);
  await build.write({ file, format: 'esm', codeSplitting: false });
  return file;
}

async function startConsumer(program: string, options: ConsumerOptions): Promise<Consumer> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(program, '..') },
  });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => void (output += piece.toString()));
  const linesOf = (): number => output.split('\n').length - 1;
  const reach = async (lines: number): Promise<void> => {
    while (linesOf() < lines) {
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
      await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) });
    }
  };
  await reach(1);
  return {
    async work(pages) {
      child.stdin.write('go\n');
      await reach(1 + pages);
    },
    async kill() {
      await end(child);
      return linesOf() - 1;
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}
