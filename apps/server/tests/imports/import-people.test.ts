import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { administrator } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { ImportFixture } from './import-fixture.ts';

const ANNA = '01900000-0000-7000-8000-00000000a00a';

let db: TestDatabase;
let imports: ImportFixture;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  for (const table of ['device', 'person', 'data_import', 'data_import_row'])
    await db.database.orm.execute(sql`delete from ${sql.identifier(table)}`);
  imports = new ImportFixture(db.database);
  const person = { phone: null, country: 'DE', language: null };
  await createDevices(imports.deps, {
    people: [
      { ...person, id: ANNA, username: 'anna', name: 'Anna Berg', email: 'anna@example.com' },
      { ...person, username: 'bo', name: 'Bo Chen', email: 'bo@example.com' },
    ],
    devices: [],
  });
});
afterAll(() => db[Symbol.asyncDispose]());

const people = async () => {
  const { rows } = await db.database.orm.execute<Record<string, unknown>>(sql`
    select username, name, email, phone, country, language from person order by username`);
  return rows;
};
const ofPeople = (content: string) => ({ kind: 'people' as const, content });

const file = [
  'username,name,email,phone,country,language',
  'cy,Cy Doe,cy@example.com,+49 30 123456,FR,fr',
  'anna,Anna Stone,,,,',
  'bo,,,,,',
  'dee,,,,,',
  'eve,Eve,bo@example.com,,,',
  'fay,Fay,CY@example.com,,,',
].join('\n');

test('people are added and changed, and an email address leads to one of them', async () => {
  const detail = await imports.preview(administrator, ofPeople(file));
  expect(await imports.outcomes(administrator, detail.id)).toEqual([
    [5, 'refused', 'name', 'person-name-missing'],
    [6, 'refused', 'email', 'email-taken'],
    [7, 'refused', 'email', 'import-value-repeated'],
    [3, 'changed'],
    [2, 'new'],
    [4, 'unchanged'],
  ]);
  expect(await imports.confirm(administrator, detail.id)).toMatchObject({
    state: 'applied',
    counts: { applied: 2 },
  });
  expect(await people()).toMatchObject([
    { username: 'anna', name: 'Anna Stone', email: 'anna@example.com', country: 'DE' },
    { username: 'bo', name: 'Bo Chen' },
    { username: 'cy', phone: '+4930123456', language: 'fr' },
  ]);
});

test('stored rows and events contain no personal data in the clear', async () => {
  const { id } = await imports.run(administrator, ofPeople(file));
  const { rows } = await db.database.orm.execute(sql`
    select to_jsonb(r)::text as stored from data_import_row r where import_id = ${id}
    union all select data::text from audit_event where request_id = ${id}`);
  const text = JSON.stringify(rows);
  for (const word of ['Stone', 'cy@example', '123456', 'Cy Doe']) expect(text).not.toContain(word);
});

test('undoing deletes people who own nothing, restores others, and leaves owners', async () => {
  const content = 'username,name\ncy,Cy\ndee,Dee\nanna,Anna Stone\n';
  const { id } = await imports.run(administrator, ofPeople(content));
  await createDevices(imports.deps, {
    people: [],
    devices: [
      { serialNumber: 'OWN00001', name: 'x', model: null, country: null, labels: {}, owner: 'dee' },
    ],
  });
  expect(await imports.undo(administrator, id)).toMatchObject({ counts: { undone: 2, left: 1 } });
  expect((await people()).map(({ username, name }) => [username, name])).toEqual([
    ['anna', 'Anna Berg'],
    ['bo', 'Bo Chen'],
    ['dee', 'Dee'],
  ]);
});

test('undoing does not bring an erased person back', async () => {
  const { id } = await imports.run(administrator, ofPeople('username,name\nanna,Anna Stone\n'));
  await db.database.orm.execute(sql`
    update person set username = 'erased-1', name = 'erased-1', email = null, erased_at = now()
    where id = ${ANNA}`);
  expect(await imports.undo(administrator, id)).toMatchObject({ counts: { undone: 0, left: 1 } });
  expect((await people()).map(({ name }) => name)).toEqual(['Bo Chen', 'erased-1']);
});
