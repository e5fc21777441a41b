import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceFilterSchema, type DeviceFilterInput } from '@deviceportal/contract/devices';
import { locationCellsInput, type LocationCells } from '@deviceportal/contract/locations';
import { formatMapArea, type MapArea } from '@deviceportal/contract/map-area';
import type { Permission } from '@deviceportal/contract/permissions';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../../src/audit-trail/sealing/seal-audit-trail.ts';
import { applyConnects } from '../../src/devices/data/apply-connectivity.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { listDevices } from '../../src/devices/list/list-devices.ts';
import { applyPositions } from '../../src/locations/apply-position.ts';
import { countPlaces } from '../../src/locations/count-places.ts';
import { setPosition } from '../../src/locations/set-position.ts';
import { createShowPlaces } from '../../src/locations/show-places.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { administrator, callerOf, limitedTo } from '../devices/viewer-with.ts';
import { sealing } from '../support/audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const PER_CITY = 12;
const cities = {
  DE: [52.5234, 13.4114],
  PL: [52.2297, 21.0122],
  NZ: [-36.8485, 174.7633],
} as const;
const clock = () => new Date();
const mayLook: readonly Permission[] = ['devices:read', 'locations:read'];
const everywhere: MapArea = { west: -180, south: -85, east: 180, north: 85 };
let db: TestDatabase;
let ids: ReadonlyMap<string, string>;
let user = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  ids = await createDevices(db, {
    people: [],
    devices: Object.entries(cities).flatMap(([country, [latitude, longitude]]) =>
      Array.from({ length: PER_CITY }, (_, n) => ({
        serialNumber: `${country}0${String(n).padStart(3, '0')}`,
        name: `${country} ${n}`,
        model: n % 2 === 0 ? 'kiosk' : 'meter',
        country,
        labels: { site: `s${n % 3}` },
        lifecycle: n === 0 ? ('retired' as const) : ('active' as const),
        place: {
          latitude,
          longitude: longitude + n * 0.02,
          accuracyMeters: 20,
          source: 'gps' as const,
        },
      })),
    ),
  });
  await applyAbroad('PL0001');
  await settle();
});
afterAll(() => db[Symbol.asyncDispose]());

const idOf = (serial: string): string => ids.get(serial) ?? '';

async function applyAbroad(serial: string): Promise<void> {
  const row = {
    ...{ deviceId: idOf(serial), at: clock(), latitude: 40.42, longitude: -3.7 },
    ...{ accuracyMeters: 30, source: 'gps' as const, country: 'ES' },
  };
  await inTransaction(db.database, (tx) => applyPositions(tx, [row]));
}

/** Runs the per-second job of the server until nothing is pending. */
async function settle(): Promise<void> {
  await sealAuditTrail(sealing(db));
  while (await countPlaces({ database: db.database, clock }));
}

interface Look {
  readonly viewer?: Viewer;
  readonly filter?: DeviceFilterInput;
  readonly bbox?: MapArea;
  readonly zoom?: number;
}

/** A new user each time, without cached results. */
function look({ viewer = administrator, filter = {}, bbox = everywhere, zoom = 1 }: Look = {}) {
  const show = createShowPlaces({
    database: db.database,
    clock,
    named: { supportedCountries: ['DE', 'PL', 'NZ'] },
  });
  return show(callerOf(viewer), locationCellsInput.parse({ bbox, zoom, filter }));
}

const total = ({ cells }: LocationCells): number =>
  cells.reduce((sum, { count }) => sum + count, 0);
const viewerWith = (permissions: readonly Permission[], countries: string[] = []): Viewer => {
  user += 1;
  const userId = `01900000-0000-7000-8000-${String(user).padStart(12, '0')}`;
  return { ...limitedTo({ countries }, permissions), userId };
};
const is = (key: string, ...values: string[]) =>
  ({ tokens: [{ key, operator: '=', values }] }) as DeviceFilterInput;

test('counts every device in service in exactly one cell, by counters and by devices', async () => {
  const inService = 3 * (PER_CITY - 1);
  for (const zoom of [0, 2, 4, 6, 8]) {
    expect(total(await look({ zoom }))).toBe(inService);
    expect(total(await look({ zoom, filter: is('label', 'site') }))).toBe(inService);
  }
});

test('returns the same from counters and devices for every filter that both support', async () => {
  for (const filter of [
    is('country', 'DE'),
    is('model', 'kiosk'),
    is('connectivity', 'never', 'online'),
  ]) {
    const counted = await look({ filter, zoom: 5 });
    const found = await look({
      zoom: 5,
      filter: {
        ...filter,
        tokens: [...(filter.tokens ?? []), ...(is('label', 'site').tokens ?? [])],
      },
    });
    expect(counted.cells.map(({ area, count }) => ({ area, count }))).toEqual(
      found.cells.map(({ area, count }) => ({ area, count })),
    );
    expect(counted.cells.length).toBeGreaterThan(0);
  }
});

test('lists as many devices in a cell as it counts', async () => {
  const { cells } = await look({ zoom: 7 });
  for (const { area, count } of cells) {
    const tokens = [
      { key: 'area' as const, operator: '=' as const, values: [formatMapArea(area)] },
      { key: 'lifecycle' as const, operator: '!=' as const, values: ['retired'] },
    ];
    const { rows } = await listDevices({ database: db.database, clock }, administrator, {
      filter: deviceFilterSchema.parse({ tokens }),
      ...{ sort: 'serialNumber', descending: false, pageSize: 50, cursor: null },
    });
    expect(rows).toHaveLength(count);
  }
});

test("counts no device outside the viewer's scope", async () => {
  expect(total(await look({ viewer: limitedTo({ countries: ['DE'] }, mayLook) }))).toBe(
    PER_CITY - 1,
  );
  expect(total(await look({ viewer: limitedTo({ labels: { site: 's1' } }, mayLook) }))).toBe(12);
  expect(total(await look({ viewer: limitedTo({}, ['devices:read']) }))).toBe(0);
  const both = {
    ...administrator,
    admitted: true,
    grants: [
      ...limitedTo({ countries: ['DE'] }, ['devices:read', 'locations:read']).grants,
      ...limitedTo({ countries: ['PL'] }, ['devices:read']).grants,
    ],
  };
  expect(total(await look({ viewer: both }))).toBe(PER_CITY - 1);
});

test('finds no devices by an area whose locations the viewer may not see', async () => {
  const filter = deviceFilterSchema.parse(is('area', formatMapArea(everywhere)));
  const list = (viewer: Viewer) =>
    listDevices({ database: db.database, clock }, viewer, {
      filter,
      ...{ sort: 'serialNumber', descending: false, pageSize: 50, cursor: null },
    });
  expect((await list(administrator)).rows.length).toBe(3 * PER_CITY);
  expect((await list(limitedTo({}, ['devices:read']))).rows).toEqual([]);
});

test('recounts a device that moves or connects without a full recount', async () => {
  const before = await look({ filter: is('country', 'NZ'), zoom: 6 });
  expect(before.cells.every(({ byConnectivity }) => byConnectivity.online === 0)).toBe(true);
  const connect = {
    ...{
      deviceId: idOf('NZ0003'),
      connectionId: idOf('NZ0003'),
      instanceId: 'mi-00000000000000000',
    },
    ...{ agentVersion: '1', ipAddress: null, at: clock() },
  };
  await inTransaction(db.database, async (tx) => {
    await applyConnects(tx, [connect]);
    await recordAudit(tx, [
      { type: 'device.connected', actor: systemActor, deviceId: idOf('NZ0003') },
    ]);
    const to = { deviceId: idOf('NZ0004'), at: clock(), latitude: -41.3, longitude: 174.8 };
    await applyPositions(tx, [{ ...to, accuracyMeters: 10, source: 'gps' }]);
  });
  await settle();
  const after = await look({ filter: is('country', 'NZ'), zoom: 6 });
  expect(total(after)).toBe(total(before));
  expect(after.cells.reduce((sum, cell) => sum + cell.byConnectivity.online, 0)).toBe(1);
  expect(after.cells.some(({ latitude, count }) => latitude < -40 && count === 1)).toBe(true);
});

test('marks devices outside the supported countries', async () => {
  const { cells } = await look({ zoom: 5 });
  expect(cells.filter(({ outside }) => outside > 0)).toMatchObject([{ country: 'ES', outside: 1 }]);
});

const berlin: MapArea = { west: 13.3, south: 52.4, east: 13.8, north: 52.6 };

test('shows individual devices at a high zoom, rounded without the permission for precise locations', async () => {
  const precise = await look({
    bbox: berlin,
    zoom: 11,
    viewer: viewerWith([...mayLook, 'locations:read-precise']),
  });
  expect(precise.cells).toEqual([]);
  expect(precise.devices).toHaveLength(PER_CITY - 1);
  expect(precise.devices.every((device) => device.precise)).toBe(true);
  const rounded = await look({ bbox: berlin, zoom: 11, viewer: viewerWith(mayLook) });
  expect(rounded.devices).toHaveLength(PER_CITY - 1);
  for (const { latitude, longitude, accuracyMeters } of rounded.devices) {
    expect(latitude).toBe(Math.round(latitude * 10) / 10);
    expect(longitude).toBe(Math.round(longitude * 10) / 10);
    expect(accuracyMeters).toBeGreaterThanOrEqual(11_000);
  }
});

test('shows a manually set location on the map and, rounded, in the audit trail, and rejects users without the permission', async () => {
  const changes = createLocalChangeFeed(() => {});
  const deps = { database: db.database, changes, clock };
  const input = {
    ...{ deviceId: idOf('DE0005'), latitude: 48.13743, longitude: 11.57549 },
    ...{ accuracyMeters: 50, country: null },
  };
  const readers = callerOf(limitedTo({}, mayLook));
  await expect(setPosition(deps, readers, input)).rejects.toMatchObject({ code: 6000 });
  await setPosition(deps, callerOf(administrator), input);
  await settle();
  const munich = await look({ bbox: { west: 11, south: 48, east: 12, north: 49 }, zoom: 8 });
  expect(total(munich)).toBe(1);
  const { rows } = await db.database.pool.query(
    `select data from audit_event where type = 'device.location-set'`,
  );
  expect(rows).toEqual([{ data: { latitude: 48.1, longitude: 11.6, country: null } }]);
  // Its previous location, for the following tests.
  await setPosition(deps, callerOf(administrator), {
    ...input,
    ...{ latitude: cities.DE[0], longitude: cities.DE[1] + 0.1 },
  });
  await settle();
});

test('records access to precise locations once for each device while it continues', async () => {
  const looks = async (viewer: Viewer) => {
    const { rows } = await db.database.pool.query<{ n: number }>(
      `select count(*)::int as n from audit_event where type = 'device.location-viewed' and actor_id = $1`,
      [viewer.userId],
    );
    return rows[0]?.n;
  };
  const precise = viewerWith([...mayLook, 'locations:read-precise']);
  for (let poll = 0; poll < 3; poll += 1) await look({ bbox: berlin, zoom: 11, viewer: precise });
  expect(await looks(precise)).toBe(PER_CITY - 1);
  const rounded = viewerWith(mayLook);
  await look({ bbox: berlin, zoom: 11, viewer: rounded });
  expect(await looks(rounded)).toBe(0);
});
