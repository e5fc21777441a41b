import { parseArgs } from 'node:util';
import { deviceFilterSchema, type DeviceFilterInput } from '@deviceportal/contract/devices';
import type { MapArea } from '@deviceportal/contract/map-area';
import { everywhere } from '@deviceportal/contract/permissions';
import { countPlaces } from '../apps/server/src/locations/count-places.ts';
import { createShowPlaces } from '../apps/server/src/locations/show-places.ts';
import { openPersonalKeys } from '../apps/server/src/personal-data/keys/personal-keys-of.ts';
import { openDatabase, type Database } from '../apps/server/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts';
import { migrateDatabase } from '../apps/server/src/platform/database/migrate-database.ts';
import type { Viewer } from '../apps/server/src/platform/viewer.ts';
import { fillFleet } from './device-list-fleet.ts';
import { measureFrames } from './map-frames.ts';
import { fillPlaces, supportedCountries } from './map-places.ts';
import { percentile } from './support/portal-process.ts';
import { administrator } from './support/administrator.ts';
import { openDataDir } from './support/open-data-dir.ts';

const LIMIT_MS = 100;
const ROUND_LIMIT_MS = 1_000;
const ROUNDS = 5;

const inPoland: Viewer = {
  ...administrator,
  grants: administrator.grants.map(({ permissions }) => ({
    permissions,
    scope: { ...everywhere, countries: ['PL'] },
  })),
};

/** From the world to a street, zooming in on cities. */
const views: readonly { readonly zoom: number; readonly bbox: MapArea }[] = [
  { zoom: 1, bbox: { west: -180, south: -85, east: 180, north: 85 } },
  ...[52.23, 48.86, 40.71, 31.23, -23.55].flatMap((latitude, n) => {
    const longitude = [21.01, 2.35, -74.01, 121.47, -46.63][n] ?? 0;
    return [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14].map((zoom) => {
      // A viewport of 1,600 by 900 pixels.
      const wide = Math.min(180, (1_600 / 512 / 2 ** zoom) * 180);
      const high = Math.min(60, (900 / 512 / 2 ** zoom) * 110);
      return {
        zoom,
        bbox: {
          west: Math.max(-180, longitude - wide),
          east: Math.min(180, longitude + wide),
          south: Math.max(-85, latitude - high),
          north: Math.min(85, latitude + high),
        },
      };
    });
  }),
];

interface Question {
  readonly name: string;
  readonly viewer: Viewer;
  readonly filter: DeviceFilterInput;
}

const token = (key: string, ...values: string[]) =>
  ({ tokens: [{ key, operator: '=', values }] }) as DeviceFilterInput;
const questions: readonly Question[] = [
  { name: 'everything', viewer: administrator, filter: {} },
  { name: 'offline', viewer: administrator, filter: token('connectivity', 'offline') },
  { name: 'one model', viewer: administrator, filter: token('model', 'kiosk') },
  { name: 'one country', viewer: administrator, filter: token('country', 'DE', 'FR') },
  { name: 'scope Poland', viewer: inPoland, filter: {} },
  { name: 'one site (500)', viewer: administrator, filter: token('label', 'site:s1999') },
  { name: 'degraded disk', viewer: administrator, filter: token('failing', 'disk') },
  {
    name: 'serial prefix',
    viewer: administrator,
    filter: { tokens: [{ key: 'serialNumber', operator: '^', values: ['DP0099'] }] },
  },
  {
    name: 'one batch (20,000)',
    viewer: administrator,
    filter: token('label', 'batch:b49'),
  },
  { name: 'text (125,000)', viewer: administrator, filter: { text: 'kiosk' } },
  {
    name: 'label (900,000)',
    viewer: administrator,
    filter: token('label', 'env:prod'),
  },
];

/**
 * Measures map cells on a separate database, and then the map in a browser: `--size 1000000
 * --keep-in <folder> --only frames`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: '1000000' },
      'keep-in': { type: 'string' },
      only: { type: 'string' },
    },
  });
  const size = Number(values.size);
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await openDataDir(cleanup, values['keep-in']);
  await measureCells(dataDir, size, values.only !== 'frames');
  await measureFrames(dataDir);
}

async function measureCells(dataDir: string, size: number, isMeasured: boolean): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const server = cleanup.use(await startEmbeddedPostgres({ dataDir }));
  const database = cleanup.use(openDatabase({ url: server.url, maxConnections: 4 }));
  openPersonalKeys(database, new Uint8Array(32));
  await migrateDatabase(database);
  if ((await database.pool.query('select from device limit 1')).rowCount === 0)
    await fillFleet(database, size);
  if ((await database.pool.query('select from device_location limit 1')).rowCount === 0)
    await fillPlaces(database);
  await measureCounting(database, size);
  if (!isMeasured) return;
  for (const question of questions) await measureQuestion(database, question);
}

/** Duration of a round of the counting job while it counts everything, as after an upgrade. */
async function measureCounting(database: Database, size: number): Promise<void> {
  const deps = { database, clock: () => new Date() };
  const rounds: number[] = [];
  const startedMs = performance.now();
  for (let more = true; more;) {
    const roundMs = performance.now();
    more = await countPlaces(deps);
    rounds.push(performance.now() - roundMs);
  }
  await database.pool.query('vacuum (analyze) place_count; ');
  await database.pool.query('vacuum (analyze) counted_place');
  const { rows } = await database.pool.query<{ n: string }>(
    'select count(*) as n from place_count',
  );
  const worst = Math.max(...rounds);
  console.log(
    `${size.toLocaleString('en')} devices counted in ${((performance.now() - startedMs) / 1000).toFixed(1)} s, ${rows[0]?.n} counters; ` +
      `longest round ${worst.toFixed(0)} ms, ratio ${(worst / ROUND_LIMIT_MS).toFixed(2)} of ${ROUND_LIMIT_MS} ms`,
  );
}

async function measureQuestion(database: Database, question: Question): Promise<void> {
  const { taken, most, reckoned } = await measureViews(database, question, false);
  const p95 = percentile(taken, 0.95);
  console.log(
    `  ${question.name.padEnd(20)} p50 ${percentile(taken, 0.5).toFixed(1)}  p95 ${p95.toFixed(1)}  worst ${Math.max(...taken).toFixed(1)} ms, ` +
      `ratio ${(p95 / LIMIT_MS).toFixed(2)} of ${LIMIT_MS} ms, up to ${most} cells`,
  );
  if (reckoned === 0) return;
  const counted = await measureViews(database, question, true);
  console.log(
    `  ${' '.repeat(20)} ${reckoned} views reckoned from a sample first; counted exactly: worst ${Math.max(...counted.taken).toFixed(0)} ms`,
  );
}

async function measureViews(database: Database, question: Question, exact: boolean) {
  const filter = deviceFilterSchema.parse(question.filter);
  const caller = { viewer: question.viewer, requestId: 'bench', address: '127.0.0.1' };
  const taken: number[] = [];
  let most = 0;
  let reckoned = 0;
  for (let round = 0; round < (exact ? 1 : ROUNDS); round += 1) {
    // A new instance, without the cache of the previous round.
    const show = createShowPlaces({
      database,
      clock: () => new Date(),
      named: { supportedCountries },
    });
    for (const view of views) {
      const startedMs = performance.now();
      const answer = await show(caller, { ...view, filter, exact });
      taken.push(performance.now() - startedMs);
      most = Math.max(most, answer.cells.length);
      if (round === 0 && answer.approximate) reckoned += 1;
    }
  }
  return { taken, most, reckoned };
}

await main();
