import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FeedSource } from '../../src/data-sources/feed-source.ts';
import { takeIn } from '../../src/data-sources/take-in.ts';
import { createGeolocationSource } from '../../src/locations/geolocation-table/geolocation-source.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import type { TableChange } from '../../src/platform/sources/table-feed.ts';
import { createDeviceSource } from '../../src/versions/device-table/device-source.ts';
import { softwareSource } from '../../src/versions/software-table/software-source.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const now = new Date('2026-11-20T12:00:00Z');
const clock = (): Date => now;
const momentOf = (minute: number): string =>
  new Date(now.getTime() - 86_400_000 + minute * 60_000).toISOString();

let db: TestDatabase;
let devices: string[];
/** The last audit event of an earlier test. */
let since: unknown;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(() => clear());

async function clear(): Promise<void> {
  await db.owner.orm.execute(sql`
    truncate device, device_status, device_instance, device_version, device_version_history, software_version,
      version_approval, version_cell, version_cell_delta, device_tav, geolocation, device_location, moved_place`);
  const { rows } = await db.owner.orm.execute(sql`select max(id::text) as id from audit_event`);
  since = rows[0]?.['id'] ?? null;
  devices = await seedDevices(
    db.database,
    ['a', 'b'].map((tail) => ({ id: `01900000-0000-7000-8000-00000000000${tail}` })),
  );
}

async function apply(source: FeedSource, batches: readonly (readonly TableChange[])[]) {
  const rejected: unknown[] = [];
  for (const batch of batches) {
    await inTransaction(db.database, async (tx) => {
      const taken = await takeIn(tx, batch, {
        source,
        onError: (error) => {
          throw error;
        },
      });
      rejected.push(...taken.rejected);
    });
  }
  return rejected;
}

/** Everything that screens show of it, and its history. */
async function readModel(): Promise<unknown> {
  const { rows } = await db.owner.orm.execute(sql`
    select (select jsonb_agg(to_jsonb(v) - 'created_at' order by component, version) from software_version v) as software,
      (select jsonb_agg(to_jsonb(v) order by device_id, component) from device_version v) as versions,
      (select jsonb_agg(to_jsonb(h) - 'id' order by device_id, component, at, id) from device_version_history h) as history,
      (select jsonb_agg(to_jsonb(g) - 'id' order by device_id, at) from geolocation g) as positions,
      (select jsonb_agg(to_jsonb(l) order by device_id) from device_location l) as places,
      (select jsonb_agg(jsonb_build_array(type, device_id, data) order by device_id, id) from audit_event
        where id::text > coalesce(${since}::text, '')) as audit`);
  return rows[0];
}

const device = fc.constantFrom(0, 1);

const softwareChanges = fc
  .array(
    fc.record({
      version: fc.constantFrom('1.0', '2.0'),
      state: fc.constantFrom('draft', 'approved', 'deprecated', 'blocked'),
      notes: fc.constantFrom('', 'x', 'y'),
      isOdd: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((acts) =>
    acts.map(({ version, state, notes, isOdd }, index): TableChange => {
      const key = { component: 'firmware', version };
      return { key, item: { ...key, state, notes, revision: isOdd ? 'one' : index + 1 } };
    }),
  );

const deviceChanges = fc
  .array(
    fc.record({
      device,
      components: fc.dictionary(
        fc.constantFrom('os', 'firmware', 'radio'),
        fc.constantFrom('1', '2'),
      ),
      isRemoved: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
      /** Told late: an item that is older than the one before it. */
      isLate: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((acts) =>
    acts.map((act, index): TableChange => {
      const key = {
        deviceId: `01900000-0000-7000-8000-00000000000${act.device === 0 ? 'a' : 'b'}`,
      };
      const minute = act.isLate ? Math.max(0, index - 3) + 0.5 : index;
      const item = { ...key, at: momentOf(minute), components: act.components };
      return { key, item: act.isRemoved ? null : item };
    }),
  );

const positionChanges = fc
  .array(
    fc.record({
      device,
      minute: fc.integer({ min: 0, max: 4 }),
      latitude: fc.constantFrom(1, 2),
      source: fc.constantFrom('gps', 'address'),
      isRemoved: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((acts) =>
    acts.map((act): TableChange => {
      const key = {
        deviceId: `01900000-0000-7000-8000-00000000000${act.device === 0 ? 'a' : 'b'}`,
        at: momentOf(act.minute),
      };
      const place = { latitude: act.latitude, longitude: 3, accuracyMeters: 5, source: act.source };
      return { key, item: act.isRemoved ? null : { ...key, ...place } };
    }),
  );

describe.each([
  ['software versions', softwareSource, softwareChanges],
  ['device versions', createDeviceSource({ clock }), deviceChanges],
  ['geolocations', createGeolocationSource({ clock, keptDays: 90 }), positionChanges],
] as const)('changes of the table of %s', (_name, source, changes) => {
  test('lead to the same state and history in any batches', async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.array(fc.integer({ min: 1, max: 5 })), async (all, sizes) => {
        await clear();
        const oneByOne = await apply(
          source,
          all.map((each) => [each]),
        );
        const expected = await readModel();
        await clear();
        expect(await apply(source, split(all, sizes))).toHaveLength(oneByOne.length);
        expect(await readModel()).toEqual(expected);
      }),
      { numRuns: 8 },
    );
  });
});

test('items that are told again change nothing', async () => {
  const [deviceId = ''] = devices;
  const software = [1, 2].map((revision): TableChange => {
    const key = { component: 'firmware', version: '1.0' };
    return { key, item: { ...key, revision, notes: `revision ${revision}` } };
  });
  const versions = [1, 2, 3].map((minute): TableChange => ({
    key: { deviceId },
    item: { deviceId, at: momentOf(minute), components: { os: `${minute % 2}` } },
  }));
  const positions = [1, 2].map((minute): TableChange => {
    const key = { deviceId, at: momentOf(minute) };
    return { key, item: { ...key, latitude: minute, longitude: 3, accuracyMeters: 5 } };
  });
  const told = [
    [softwareSource, software],
    [createDeviceSource({ clock }), versions],
    [createGeolocationSource({ clock, keptDays: 90 }), positions],
  ] as const;
  for (const [source, changes] of told) await apply(source, [changes]);
  const expected = await readModel();
  for (const [source, changes] of told)
    await apply(source, [changes, ...changes.map((one) => [one])]);
  expect(await readModel()).toEqual(expected);
});

test('an item that cannot be applied is set aside with its reason, and the others are applied', async () => {
  const [deviceId = ''] = devices;
  const unknown = '01900000-0000-7000-8000-0000000000ff';
  const item = (over: object) => ({ deviceId, at: momentOf(1), components: { os: '1' }, ...over });
  const rejected = await apply(createDeviceSource({ clock }), [
    [
      { key: {}, item: item({ deviceId: undefined }) },
      { key: { deviceId }, item: item({ at: 'yesterday' }) },
      { key: { deviceId }, item: item({ components: { os: 2 } }) },
      { key: { deviceId }, item: item({ components: { ['o'.repeat(200)]: '1' } }) },
      { key: { deviceId }, item: item({ components: { os: '1\u202E' } }) },
      { key: { deviceId }, item: item({ at: '2030-01-01T00:00:00Z' }) },
      { key: { deviceId: unknown }, item: item({ deviceId: unknown }) },
      { key: { deviceId }, item: item({ components: { os: 'good' } }) },
    ],
  ]);
  expect(rejected.map((each) => (each as { reason: string }).reason)).toEqual([
    ...['invalid', 'invalid', 'invalid', 'invalid', 'invalid'],
    ...['time-in-future', 'unknown-device'],
  ]);
  const { rows } = await db.database.orm.execute(sql`select version from device_version`);
  expect(rows).toEqual([{ version: 'good' }]);
});

test('an unexpected error sets aside only the items that cause it', async () => {
  const errors: string[] = [];
  const source: FeedSource = {
    ...softwareSource,
    takeIn: async (tx, changes) => {
      const taken = await softwareSource.takeIn(tx, changes);
      if (changes.some(({ key }) => key['version'] === '3')) await tx.execute(sql`select 1 / 0`);
      return taken;
    },
  };
  const changes = ['1', '2', '3', '4', '5'].map((version): TableChange => {
    const key = { component: 'os', version };
    return { key, item: { ...key, revision: 1 } };
  });
  const taken = await inTransaction(db.database, (tx) =>
    takeIn(tx, changes, { source, onError: (_error, key) => void errors.push(key) }),
  );
  expect(taken).toMatchObject({ applied: 4, rejected: [{ key: 'os 3', reason: 'not-applied' }] });
  expect(errors).toEqual(['os 3']);
});

test('a state that the portal does not allow, or a new version beyond the limit, is set aside', async () => {
  const key = { component: 'firmware', version: '1.0' };
  const item = (over: object) => ({ key, item: { ...key, ...over } });
  const rejected = await apply(softwareSource, [
    [
      item({ revision: 1, state: 'blocked' }),
      item({ revision: 2, state: 'approved' }),
      item({ revision: 3, state: 'blocked', notes: 'still' }),
    ],
  ]);
  expect(rejected).toEqual([
    { key: 'firmware 1.0', reason: 'not-allowed', detail: expect.stringContaining('blocked') },
  ]);
  const { rows } = await db.database.orm.execute(sql`select state, notes from software_version`);
  expect(rows).toEqual([{ state: 'blocked', notes: 'still' }]);
  await db.owner.orm.execute(sql`
    insert into software_version (component, version)
    select 'many', number::text from generate_series(1, 20000) number`);
  const other = { component: 'firmware', version: '2.0' };
  expect(await apply(softwareSource, [[{ key: other, item: { ...other, revision: 1 } }]])).toEqual([
    expect.objectContaining({ reason: 'limit-reached' }),
  ]);
});

function split<Item>(items: readonly Item[], sizes: readonly number[]): Item[][] {
  const batches: Item[][] = [];
  for (let from = 0, turn = 0; from < items.length; turn += 1) {
    const size = sizes[turn % Math.max(1, sizes.length)] ?? items.length;
    batches.push(items.slice(from, from + size));
    from += size;
  }
  return batches;
}
