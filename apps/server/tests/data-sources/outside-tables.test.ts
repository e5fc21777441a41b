import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TableSource } from '@deviceportal/contract/data-sources';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { startDynamoDbLocal } from '../../../../packages/aws/tests/parts/start-dynamodb-local.ts';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import { describeFeed } from '../../src/data-sources/describe-feed.ts';
import { queueOutgoing } from '../../src/data-sources/queue-outgoing.ts';
import { readTableAgain } from '../../src/data-sources/read-table-again.ts';
import { writePage } from '../../src/data-sources/write-page.ts';
import { applyPositions } from '../../src/locations/apply-position.ts';
import { eraseSomePlaces } from '../../src/locations/data/erase-places.ts';
import { createGeolocationSource } from '../../src/locations/geolocation-table/geolocation-source.ts';
import { geolocationTableLayout } from '../../src/locations/geolocation-table/position-item.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { applySoftware } from '../../src/versions/apply-software.ts';
import { changeSoftwareState } from '../../src/versions/change-software-state.ts';
import { deviceTableLayout } from '../../src/versions/device-table/device-item.ts';
import { createDeviceSource } from '../../src/versions/device-table/device-source.ts';
import { registerSoftware } from '../../src/versions/register-software.ts';
import { softwareTableLayout } from '../../src/versions/software-table/software-item.ts';
import { softwareSource } from '../../src/versions/software-table/software-source.ts';
import { administrator, callerOf } from '../devices/viewer-with.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { openTable } from './table-fixture.ts';

const admin = callerOf(administrator);
const clock = (): Date => new Date();
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const firmware = { component: 'firmware', version: '1.0' };
const draft: Parameters<typeof registerSoftware>[2] = {
  ...{ ...firmware, models: [], channel: 'stable', releasedAt: null, notes: '' },
};

describe.skipIf(lacks('DynamoDB Local'))('a table outside the portal', () => {
  let part: RunningPart;
  let db: TestDatabase;
  beforeAll(async () => {
    part = await startDynamoDbLocal();
  });
  afterAll(() => part[Symbol.asyncDispose]());
  beforeEach(async () => {
    db = await createTestDatabase();
    return () => db[Symbol.asyncDispose]();
  });

  const deps = () => ({ database: db.database, clock });
  const openSoftware = () =>
    openTable(part, db.database, { source: softwareSource, layout: softwareTableLayout });
  const openDevices = () =>
    openTable(part, db.database, {
      source: createDeviceSource({ clock }),
      layout: deviceTableLayout,
    });
  const openPositions = () =>
    openTable(part, db.database, {
      source: createGeolocationSource({ clock, keptDays: 90 }),
      layout: geolocationTableLayout,
    });
  const feedOf = async (source: TableSource) => (await describeFeed(deps(), source, 't'))?.feed;

  async function rows(statement: ReturnType<typeof sql>) {
    return (await db.database.orm.execute(statement)).rows;
  }
  const software = () =>
    rows(sql`select version, state, notes, revision from software_version order by version`);
  const auditTypes = async () =>
    (await rows(sql`select type from audit_event order by id`)).map(({ type }) => type);

  test('gets what is registered here, before and after it was connected, and its echo changes nothing', async () => {
    await registerSoftware(deps(), admin, { ...draft, version: '0.9' });
    const table = await openSoftware();
    await registerSoftware(deps(), admin, draft);
    await changeSoftwareState(deps(), admin, { ...firmware, state: 'approved', reason: '' });
    await table.settle();
    const byVersion = Object.fromEntries(
      (await table.items()).map(({ version, state, revision }) => [version, { state, revision }]),
    );
    expect(byVersion).toEqual({
      '0.9': { state: 'draft', revision: 1 },
      '1.0': { state: 'approved', revision: 2 },
    });
    const before = [await software(), await auditTypes(), await table.items()];
    await table.settle();
    expect([await software(), await auditTypes(), await table.items()]).toEqual(before);
    const feed = await feedOf('software-versions');
    expect(feed).toMatchObject({ appliedCount: 0, writtenCount: 2, waitingCount: 0, lagMs: 0 });
  });

  test('says what other programs register and change, with audit events', async () => {
    const table = await openSoftware();
    await table.put({ ...firmware, revision: 1, state: 'draft', notes: 'old' });
    await table.readAll();
    await table.put({ ...firmware, revision: 2, state: 'approved', notes: 'new' });
    await table.settle();
    expect(await software()).toEqual([
      { version: '1.0', state: 'approved', notes: 'new', revision: 2 },
    ]);
    expect(await auditTypes()).toEqual([
      'version.registered',
      'version.state-changed',
      'version.changed',
    ]);
  });

  test('wins where both sides changed a version at the same time, and both then have the same', async () => {
    const table = await openSoftware();
    await registerSoftware(deps(), admin, draft);
    await table.settle();
    await changeSoftwareState(deps(), admin, { ...firmware, state: 'approved', reason: '' });
    await table.put({ ...firmware, revision: 2, state: 'blocked', notes: 'theirs' });
    // Writing finds the conflict before reading does.
    while ((await writePage(table.deps)) > 0);
    const expected = { version: '1.0', state: 'blocked', notes: 'theirs', revision: 2 };
    expect(await software()).toEqual([expected]);
    await table.settle();
    expect(await software()).toEqual([expected]);
    expect(await table.items()).toMatchObject([expected]);
  });

  test('is corrected where it has what the portal does not allow or what was removed', async () => {
    const table = await openSoftware();
    await registerSoftware(deps(), admin, draft);
    await changeSoftwareState(deps(), admin, { ...firmware, state: 'blocked', reason: '' });
    await table.settle();
    await table.put({ ...firmware, revision: 7, state: 'approved' });
    await table.readAll();
    const feed = await feedOf('software-versions');
    expect(feed?.rejected).toMatchObject([{ key: 'firmware 1.0', reason: 'not-allowed' }]);
    // The next change here is written over it.
    await inTransaction(db.database, (tx) =>
      queueOutgoing(tx, 'software-versions', [{ key: 'firmware', sortKey: '1.0' }]),
    );
    await table.settle();
    expect(await table.items()).toMatchObject([{ state: 'blocked', revision: 8 }]);
    await table.tables.remove(table.name, firmware);
    await table.settle();
    expect(await table.items()).toMatchObject([{ state: 'blocked', revision: 8 }]);
  });

  test('has each device with all of its components, and every change in the history', async () => {
    const [deviceId = ''] = await seedDevices(db.database, [{}]);
    const table = await openDevices();
    const report = (at: Date, os: string) =>
      inTransaction(db.database, (tx) =>
        applySoftware(tx, [{ deviceId, at, components: [{ component: 'os', version: os }] }]),
      );
    await report(minutesAgo(50), '1');
    await table.settle();
    for (const minutes of [40, 39, 38]) {
      const components = { os: `${minutes}`, radio: '7' };
      await table.put({ deviceId, at: minutesAgo(minutes).toISOString(), components });
    }
    await table.readAll();
    await report(minutesAgo(30), '2');
    await table.settle();
    expect(await table.items()).toMatchObject([{ deviceId, components: { os: '2' } }]);
    const history = await rows(
      sql`select component, version from device_version_history order by at, component, id`,
    );
    expect(history.map(({ component, version }) => `${component} ${version}`)).toEqual([
      ...['os 1', 'os 40', 'radio 7', 'os 39', 'os 38', 'os 2', 'radio null'],
    ]);
    // Older than what the device reported: the table gets the newer one again.
    await table.put({ deviceId, at: minutesAgo(45).toISOString(), components: { os: 'old' } });
    await table.settle();
    expect(await table.items()).toMatchObject([{ components: { os: '2' } }]);
  });

  test('has each position until it expires, and loses what is erased here', async () => {
    const [deviceId = ''] = await seedDevices(db.database, [{}]);
    const table = await openPositions();
    const place = { latitude: 1.5, longitude: 2.5, accuracyMeters: 10, source: 'gps' } as const;
    const at = minutesAgo(20);
    await inTransaction(db.database, (tx) => applyPositions(tx, [{ ...place, deviceId, at }]));
    const outside = { ...place, deviceId, at: minutesAgo(10).toISOString(), latitude: -7 };
    await table.put(outside);
    await table.put({ ...outside, at: new Date(Date.now() - 91 * 86_400_000).toISOString() });
    await table.settle();
    const items = await table.items();
    expect(items.find((item) => item['at'] === at.toISOString())).toMatchObject({
      ...place,
      expiresAt: Math.floor(at.getTime() / 1_000) + 90 * 86_400,
    });
    expect(await rows(sql`select latitude from geolocation order by at`)).toEqual([
      { latitude: 1.5 },
      { latitude: -7 },
    ]);
    expect(await rows(sql`select latitude from device_location`)).toEqual([{ latitude: -7 }]);

    await inTransaction(db.database, (tx) => eraseSomePlaces(tx, [deviceId], 100));
    // Not written yet, and all items are read again.
    await readTableAgain(deps(), admin, { source: 'geolocations' });
    await table.settle();
    expect(await rows(sql`select from geolocation`)).toEqual([]);
    expect(await table.items()).toHaveLength(1);
  });

  test('gets all items where too many changes were waiting to be queued', async () => {
    const devices = await seedDevices(db.database, [{}, {}, {}, {}]);
    const table = await openDevices();
    await table.settle();
    for (const deviceId of devices) {
      await inTransaction(db.database, async (tx) => {
        const components = [{ component: 'os', version: '1' }];
        await applySoftware(tx, [{ deviceId, at: minutesAgo(1), components }]);
        const key = { key: deviceId, sortKey: '' };
        await queueOutgoing(tx, 'device-versions', [key], { limit: 2 });
      });
    }
    expect(await feedOf('device-versions')).toMatchObject({
      fullSince: expect.any(String),
    });
    await table.settle();
    expect(await table.items()).toHaveLength(4);
    expect(await feedOf('device-versions')).toMatchObject({
      ...{ fullSince: null, writesAll: false, waitingCount: 0 },
    });
  });

  test('is read whole again when an administrator asks for it, which is recorded', async () => {
    const table = await openSoftware();
    await table.put({ ...firmware, revision: 1 });
    await table.settle();
    await db.owner.orm.execute(sql`delete from software_version`);
    await table.settle();
    expect(await software()).toEqual([]);
    await readTableAgain(deps(), admin, { source: 'software-versions' });
    await table.settle();
    expect(await software()).toHaveLength(1);
    expect(await auditTypes()).toContain('settings.table-read-again');
    await expect(readTableAgain(deps(), admin, { source: 'geolocations' })).rejects.toMatchObject({
      code: 2003,
    });
  });
});
