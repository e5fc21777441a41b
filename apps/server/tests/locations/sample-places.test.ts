import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceFilterInput } from '@deviceportal/contract/devices';
import {
  SAMPLED_FROM_DEVICES,
  locationCellsInput,
  type LocationCells,
} from '@deviceportal/contract/locations';
import type { MapArea } from '@deviceportal/contract/map-area';
import { countPlaces } from '../../src/locations/count-places.ts';
import { createShowPlaces } from '../../src/locations/show-places.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { administrator, callerOf, limitedTo } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const FLEET = 24_000;
const clock = () => new Date();
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  // Two of three devices are named "lamp", one of three is in the south, and one of two is online, independent of
  // each other.
  await db.database.orm.execute(sql`
    with made as (
      insert into device (id, serial_number, serial_rank, name, model, country, labels, lifecycle, search_text)
      select md5('device' || n)::uuid, 'S' || n, 'S' || n, case when n % 3 = 0 then 'gate' else 'lamp' end || n, 'kiosk', 'PL',
        jsonb_build_object('env', case when hashtext('env' || n) % 4 = 0 then 'test' else 'prod' end), 'active', 's' || n || ' ' || case when n % 3 = 0 then 'gate' else 'lamp' end || n
      from generate_series(1, ${FLEET}::int) n returning id, serial_rank, name, labels),
    labeled as (
      insert into device_label (key, value, device_id, serial_rank, name)
      select 'env', labels ->> 'env', id, serial_rank, name from made),
    stated as (
      insert into device_status (device_id, serial_rank, name, country, connectivity)
      select id, serial_rank, name, 'PL', case when hashtextextended(id::text, 2) % 2 = 0 then 'online' else 'never' end from made)
    insert into device_location (device_id, at, latitude, longitude, accuracy_meters, source, country)
    select id, now(), case when hashtext(id::text) % 3 = 0 then -33.9 else 52.2 end, 18 + (hashtextextended(id::text, 1) & 65535) / 16384.0, 20, 'gps', 'PL' from made`);
  await db.owner.orm.execute(sql`analyze device, device_status, device_location, device_label`);
  while (await countPlaces({ database: db.database, clock }));
});
afterAll(() => db[Symbol.asyncDispose]());

interface Look {
  readonly viewer?: Viewer;
  readonly filter?: DeviceFilterInput;
  readonly bbox?: MapArea;
  readonly exact?: boolean;
}

/** A new user each time, without cached results. */
function look({
  viewer = administrator,
  filter = { text: 'lamp' },
  ...asked
}: Look = {}): Promise<LocationCells> {
  const show = createShowPlaces({
    database: db.database,
    clock,
    named: { supportedCountries: [] },
  });
  return show(callerOf(viewer), locationCellsInput.parse({ zoom: 2, filter, ...asked }));
}

const ofProduction = limitedTo({ countries: ['PL'], labels: { env: 'prod' } }, [
  'devices:read',
  'locations:read',
]);
const north = { west: 10, south: 45, east: 30, north: 55 };

test.each<{ readonly of: string; readonly asked: Look }>([
  { of: 'the whole table', asked: {} },
  { of: 'the index of places', asked: { bbox: north } },
  { of: 'devices within a scope', asked: { viewer: ofProduction, filter: {} } },
  {
    of: 'devices and states',
    asked: {
      filter: { text: 's', tokens: [{ key: 'connectivity', operator: '=', values: ['online'] }] },
    },
  },
])(
  'immediately estimates the cells of many devices, close to an exact count: by $of',
  async ({ asked }) => {
    const [estimated, again, counted] = await Promise.all([
      look(asked),
      look(asked),
      look({ ...asked, exact: true }),
    ]);
    expect(counted.approximate).toBe(false);
    expect(estimated.approximate).toBe(true);
    expect(estimated.total / counted.total).toBeGreaterThan(0.9);
    expect(estimated.total / counted.total).toBeLessThan(1.1);
    expect(again.cells).toEqual(estimated.cells);
    for (const cell of counted.cells) {
      const same = estimated.cells.find(
        ({ area }) => area.south === cell.area.south && area.west === cell.area.west,
      );
      expect((same?.count ?? 0) / cell.count, JSON.stringify(cell.area)).toBeGreaterThan(0.8);
      expect((same?.count ?? 0) / cell.count, JSON.stringify(cell.area)).toBeLessThan(1.2);
    }
  },
);

test('estimates nothing that is counted quickly: few devices in view, few matches, or facts of the counters', async () => {
  expect(SAMPLED_FROM_DEVICES).toBeLessThan(FLEET);
  const south = { west: 10, south: -40, east: 30, north: -30 };
  for (const asked of [
    { bbox: south },
    { filter: { text: 's123' } },
    { filter: {} },
    { filter: { tokens: [{ key: 'country', operator: '=', values: ['PL'] }] } } as Look,
  ]) {
    const first = await look(asked);
    expect(first.approximate, JSON.stringify(asked)).toBe(false);
    expect(await look({ ...asked, exact: true })).toEqual(first);
  }
});
