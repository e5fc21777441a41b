import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { everywhere, type Permission, type Scope } from '@deviceportal/contract/permissions';
import { createDevices } from '../../../src/devices/enrollment/create-devices.ts';
import type { DevicesDependencies } from '../../../src/devices/devices-dependencies.ts';
import { updateDevice } from '../../../src/devices/update-device.ts';
import { createLocalChangeFeed } from '../../../src/platform/change-feed.ts';
import { administrator, callerOf, viewerWith } from '../../devices/viewer-with.ts';
import { ImportFixture } from '../../imports/import-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const manages: Permission[] = ['devices:read', 'devices:manage'];
const lab: Scope = { ...everywhere, labels: { stage: 'lab' } };
/** Manages the devices of a country, and may wipe those of the laboratory. */
const operator = viewerWith([
  { permissions: manages, scope: { ...everywhere, countries: ['DE', 'FR'] } },
  { permissions: ['commands:run:@destroys'], scope: lab },
  { permissions: ['commands:run:@reads'], scope: { ...everywhere, countries: ['FR'] } },
]);
const refused = { code: 1000, reason: 'reach-gained' };

let db: TestDatabase;
let deps: DevicesDependencies;
let id: string;

beforeAll(async () => {
  db = await createTestDatabase();
  deps = {
    database: db.database,
    changes: createLocalChangeFeed(() => {}),
    clock: () => new Date('2026-11-20T12:00:00Z'),
    installCommand: async (token: string) => `install --claim ${token}`,
  };
});
beforeEach(async () => {
  await db.database.orm.execute(sql`delete from device`);
  const device = { serialNumber: 'SHOP0001', name: 'till', model: 'kiosk', country: 'DE' };
  const made = await createDevices(deps, {
    people: [],
    devices: [{ ...device, labels: { stage: 'shop' } }],
  });
  id = made.get('SHOP0001') ?? '';
});
afterAll(() => db[Symbol.asyncDispose]());

const stored = async () => {
  const { rows } = await db.database.orm.execute(sql`select country, labels from device`);
  return rows[0];
};
const untouched = { country: 'DE', labels: { stage: 'shop' } };

test('a user cannot put a label on a device that would let them wipe it', async () => {
  const labelled = updateDevice(deps, callerOf(operator), { id, labels: { stage: 'lab' } });
  await expect(labelled).rejects.toMatchObject(refused);
  expect(await stored()).toEqual(untouched);
});

test('nor move it to a country where they can run commands', async () => {
  const moved = updateDevice(deps, callerOf(operator), { id, country: 'FR' });
  await expect(moved).rejects.toMatchObject(refused);
  expect(await stored()).toEqual(untouched);
});

test('nor have it labeled by an import', async () => {
  const imports = new ImportFixture(db.database);
  const { id: importId } = await imports.preview(operator, {
    content: 'serialNumber,country,labels\nSHOP0001,DE,stage=lab\n',
  });
  expect(await imports.rows(operator, importId)).toMatchObject([
    { outcome: 'refused', problem: { column: null, reason: 'reach-gained' } },
  ]);
  await imports.confirm(operator, importId);
  expect(await stored()).toEqual(untouched);
});

test('changes that grant no permission are allowed, and users who already have it can make all of them', async () => {
  await updateDevice(deps, callerOf(operator), { id, labels: { stage: 'shop', floor: '2' } });
  await updateDevice(deps, callerOf(administrator), { id, labels: { stage: 'lab' } });
  await updateDevice(deps, callerOf(operator), { id, labels: { stage: 'shop' } });
  expect(await stored()).toEqual(untouched);
});
