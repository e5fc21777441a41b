import { newId } from '@deviceportal/contract/ids';
import { OutsideTables } from '../packages/aws/tests/parts/outside-tables.ts';
import { startDynamoDbLocal } from '../packages/aws/tests/parts/start-dynamodb-local.ts';
import type { RunningPart } from '../packages/aws/tests/parts/start-part.ts';
import { beginFeed } from '../apps/server/src/data-sources/data/feed-queries.ts';
import type { FeedSource } from '../apps/server/src/data-sources/feed-source.ts';
import { readPage, type FeedDeps } from '../apps/server/src/data-sources/read-page.ts';
import { createDevices } from '../apps/server/src/devices/enrollment/create-devices.ts';
import { createGeolocationSource } from '../apps/server/src/locations/geolocation-table/geolocation-source.ts';
import { geolocationTableLayout } from '../apps/server/src/locations/geolocation-table/position-item.ts';
import { loadAws } from '../apps/server/src/platform/aws/load-aws.ts';
import { createLocalChangeFeed } from '../apps/server/src/platform/change-feed.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import type { TableItem, TableLayout } from '../apps/server/src/platform/sources/table-feed.ts';
import { deviceTableLayout } from '../apps/server/src/versions/device-table/device-item.ts';
import { createDeviceSource } from '../apps/server/src/versions/device-table/device-source.ts';
import { openBenchDatabase, openTempDir, printRatio } from './device-fixture.ts';

const DEVICES = 2_000;
const CHANGES = 10_000;
const AIM_PER_SECOND = 3_000;

const clock = (): Date => new Date();
const from = Date.now() - 3_600_000;
const fail = (error: unknown): never => {
  throw error;
};

interface Bench {
  readonly source: FeedSource;
  readonly layout: TableLayout;
  /** Of reading the stream without applying its changes. DynamoDB allows 5,000 changes a second and shard. */
  readonly ratioLimit: number;
  readonly itemOf: (deviceId: string, number: number) => TableItem;
}

const benches: readonly Bench[] = [
  {
    source: createDeviceSource({ clock }),
    layout: deviceTableLayout,
    ratioLimit: 0.1,
    itemOf: (deviceId, number) => ({
      ...{ deviceId, at: new Date(from + number).toISOString() },
      components: {
        firmware: `1.${Math.floor(number / DEVICES)}`,
        os: 'Debian 13',
        radio: '7.1',
        model: '4',
      },
    }),
  },
  {
    source: createGeolocationSource({ clock, keptDays: 90 }),
    layout: geolocationTableLayout,
    ratioLimit: 0.3,
    itemOf: (deviceId, number) => ({
      ...{ deviceId, at: new Date(from + number).toISOString() },
      ...{ latitude: (number % 170) - 85, longitude: number % 180, accuracyMeters: 10 },
    }),
  },
];

/** Changes of tables outside the portal: applied, compared with only reading them from the stream. */
async function main(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const part = resources.use(await startDynamoDbLocal());
  const database = await openBenchDatabase(resources, await openTempDir(resources));
  const created = await createDevices(
    { database },
    {
      people: [],
      devices: Array.from({ length: DEVICES }, (_, index) => ({
        ...{ id: newId(), serialNumber: `BENCH-${index}`, name: `bench ${index}` },
        ...{ model: 'M1', country: 'DE', labels: {}, lifecycle: 'active' as const },
      })),
    },
  );
  await database.pool.query('analyze');
  for (const bench of benches) await measure(bench, { part, database, ids: [...created.values()] });
}

async function measure(
  { source, layout, ratioLimit, itemOf }: Bench,
  {
    part,
    database,
    ids,
  }: { readonly part: RunningPart; readonly database: Database; readonly ids: readonly string[] },
): Promise<void> {
  const { createTableFeed } = await loadAws('dynamodb-tables', 'bench');
  const table = source.name;
  await new OutsideTables(part).create(table, layout);
  await beginFeed(database.orm, source.name, table);
  const feed = createTableFeed({ ...part, table, layout });
  const deps: FeedDeps = {
    ...{ database, source, clock, feed, onError: fail },
    changes: createLocalChangeFeed(fail),
  };
  while ((await readPage(deps)) > 0);
  // Without conditions, in batches.
  const writer = createTableFeed({ ...part, table, layout: { ...layout, growing: null } });
  for (let first = 0; first < CHANGES; first += ids.length) {
    await writer.publish(
      ids.map((deviceId, index) => {
        const item = itemOf(deviceId, first + index);
        const key = Object.fromEntries(layout.keys.map((name) => [name, String(item[name])]));
        return { key, item };
      }),
    );
  }
  const { rows } = await database.pool.query<{ cursor: Record<string, unknown> }>(
    'select cursor from feed_state where source = $1',
    [source.name],
  );
  let cursor = rows[0]?.cursor ?? null;
  const bare = await perSecond(async () => {
    const page = await feed.read(cursor);
    ({ cursor } = page);
    return page.changes.length;
  });
  const applied = await perSecond(() => readPage(deps));
  console.log(
    `${source.name}: ${applied} changes/s applied (${applied >= AIM_PER_SECOND ? 'reaches' : 'BELOW'} ${AIM_PER_SECOND}), ${bare} changes/s read`,
  );
  printRatio(`${source.name}: applied to read`, applied / bare, { atLeast: ratioLimit });
}

/** Changes per second until all of them were read. */
async function perSecond(read: () => Promise<number>): Promise<number> {
  const startedAtMs = performance.now();
  for (let count = 0; count < CHANGES;) count += await read();
  return Math.round(CHANGES / ((performance.now() - startedAtMs) / 1_000));
}

await main();
