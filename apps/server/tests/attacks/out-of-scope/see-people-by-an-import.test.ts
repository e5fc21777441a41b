import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Permission } from '@deviceportal/contract/permissions';
import { createDevices } from '../../../src/devices/enrollment/create-devices.ts';
import type { DevicesDependencies } from '../../../src/devices/devices-dependencies.ts';
import { importDevices } from '../../../src/devices/enrollment/import-devices.ts';
import { getPerson } from '../../../src/people/get-person.ts';
import { createLocalChangeFeed } from '../../../src/platform/change-feed.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { administrator, callerOf, limitedTo } from '../../devices/viewer-with.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const ANNA = '01900000-0000-7000-8000-00000000a00a';
const manages: Permission[] = ['devices:read', 'devices:manage'];
const polish = limitedTo({ countries: ['PL'] }, [...manages, 'people:read']);
const faceless = limitedTo({}, manages);

let db: TestDatabase;
let deps: DevicesDependencies;

beforeAll(async () => {
  db = await createTestDatabase();
  deps = {
    database: db.database,
    changes: createLocalChangeFeed(() => {}),
    clock: () => new Date('2026-11-20T12:00:00Z'),
    installCommand: async (token: string) => `install --claim ${token}`,
  };
  const person = { phone: null, country: null, language: null };
  const device = { model: 'kiosk', labels: {} };
  await createDevices(deps, {
    people: [
      { ...person, id: ANNA, username: 'anna', name: 'Anna Berg', email: 'anna@example.com' },
      { ...person, username: 'bo', name: 'Bo Chen', email: 'bo@example.com' },
    ],
    devices: [
      { ...device, serialNumber: 'GERM0001', name: 'one', country: 'DE', owner: 'anna' },
      { ...device, serialNumber: 'POLE0001', name: 'two', country: 'PL', owner: 'bo' },
    ],
  });
});
afterAll(() => db[Symbol.asyncDispose]());

const importing = (viewer: Viewer, email: string, dryRun = true) =>
  importDevices(deps, callerOf(viewer), {
    csv: `serialNumber,ownerEmail,country\nPOLE0001,${email},PL\n`,
    lifetimeHours: 1,
    dryRun,
  });
const ownerOf = async (serialNumber: string): Promise<unknown> => {
  const { rows } = await db.database.orm.execute(sql`
    select p.username from device d join person p on p.id = d.owner_id where serial_number = ${serialNumber}`);
  return rows[0]?.['username'];
};

test('a person outside the scope cannot be made the owner of a device inside it to become visible', async () => {
  await importing(polish, 'anna@example.com', false);
  expect(await ownerOf('POLE0001')).toBe('bo');
  await expect(getPerson(deps, polish, ANNA)).rejects.toMatchObject({ errorName: 'notFound' });
});

test.each([
  ['outside the scope', polish],
  ['whose name is masked', faceless],
])(
  'a person %s cannot be told apart from a nonexistent one by an email address',
  async (_whose, viewer) => {
    const words = async (email: string) =>
      JSON.stringify((await importing(viewer, email)).problems).replaceAll(email, 'x');
    expect(await words('anna@example.com')).toEqual(await words('nobody@example.com'));
  },
);

test('a person visible to the importer becomes the owner', async () => {
  expect((await importing(polish, 'bo@example.com')).problems).toEqual([]);
  await importing(administrator, 'anna@example.com', false);
  expect(await ownerOf('POLE0001')).toBe('anna');
});
