import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceFilterSchema } from '@deviceportal/contract/devices';
import { countDevices } from '../../src/devices/count-devices.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { seedDevices, viewerWith } from '../support/command-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/create-test-database.ts';

const clock = () => new Date();
const german = viewerWith('Viewer', { countries: ['DE'], models: [], labels: {} });

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  await seedDevices(db.database, [
    { country: 'FR', serialNumber: 'QX4711' },
    { country: 'DE', serialNumber: 'AB1000', name: 'about QX47 and QX99' },
  ]);
});
afterAll(() => db[Symbol.asyncDispose]());

const count = async (viewer: Viewer, text: string) =>
  (await countDevices({ ...db, clock }, viewer, deviceFilterSchema.parse({ text }))).count;

test('a person cannot find out how serial numbers outside their scope begin by what a text finds inside', async () => {
  expect(await count(viewerWith('Viewer'), 'QX4711')).toBe(1);
  expect(await count(german, 'QX4711')).toBe(0);
  expect(await count(german, 'QX99')).toBe(1);
  expect(await count(german, 'QX47')).toBe(1);
  expect(await count(german, 'AB10')).toBe(1);
});
