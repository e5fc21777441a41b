import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Permission } from '@deviceportal/contract/permissions';
import { createDevices } from '../../../src/devices/enrollment/create-devices.ts';
import { getPerson } from '../../../src/people/get-person.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { administrator, limitedTo } from '../../devices/viewer-with.ts';
import { ImportFixture } from '../../imports/import-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const ANNA = '01900000-0000-7000-8000-00000000a00a';
const manages: Permission[] = ['devices:read', 'devices:manage'];
const polish = limitedTo({ countries: ['PL'] }, [...manages, 'people:read']);
const faceless = limitedTo({}, manages);

let db: TestDatabase;
let imports: ImportFixture;

beforeAll(async () => {
  db = await createTestDatabase();
  imports = new ImportFixture(db.database);
  const person = { phone: null, country: null, language: null };
  const device = { model: 'kiosk', labels: {} };
  await createDevices(imports.deps, {
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

const preview = async (viewer: Viewer, email: string) => {
  const { id } = await imports.preview(viewer, {
    content: `serialNumber,ownerEmail,country\nPOLE0001,${email},PL\n`,
  });
  return { id, rows: await imports.rows(viewer, id) };
};
/** The rows of a preview that is not confirmed. */
const rowsOf = async (viewer: Viewer, email: string) => {
  const { id, rows } = await preview(viewer, email);
  await imports.discard(viewer, id);
  return rows;
};
const ownerOf = async (serialNumber: string): Promise<unknown> => {
  const { rows } = await db.database.orm.execute(sql`
    select p.username from device d join person p on p.id = d.owner_id where serial_number = ${serialNumber}`);
  return rows[0]?.['username'];
};

test('a person outside the scope cannot be made the owner of a device inside it to become visible', async () => {
  const { id } = await preview(polish, 'anna@example.com');
  await imports.confirm(polish, id);
  expect(await ownerOf('POLE0001')).toBe('bo');
  await expect(getPerson(imports.deps, polish, ANNA)).rejects.toMatchObject({
    errorName: 'notFound',
  });
});

test.each([
  ['outside the scope', polish],
  ['whose name is masked', faceless],
])(
  'a person %s cannot be told apart from a nonexistent one by an email address',
  async (_whose, viewer) => {
    const words = async (email: string) =>
      JSON.stringify(await rowsOf(viewer, email)).replaceAll(email, 'x');
    expect(await words('anna@example.com')).toEqual(await words('nobody@example.com'));
  },
);

test('a person visible to the importer becomes the owner', async () => {
  expect((await preview(polish, 'bo@example.com')).rows).toMatchObject([{ problem: null }]);
  const { id } = await preview(administrator, 'anna@example.com');
  await imports.confirm(administrator, id);
  expect(await ownerOf('POLE0001')).toBe('anna');
});
