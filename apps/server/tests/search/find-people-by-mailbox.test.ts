import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { peopleByMailboxes } from '../../src/people/data/people-by-mailboxes.ts';
import { findPeopleByMailbox } from '../../src/people/find-people-by-mailbox.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { mailboxVariants } from '../../src/search/typing-errors.ts';
import { administrator, limitedTo } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
const longest = 'a-very-long-local-part-of-an-address-with-up-to-64-characters-ab';

const person = (username: string, email: string) => ({
  ...{ username, name: `Person ${username}`, email },
  ...{ phone: null, country: 'DE', language: 'en' },
});
const device = (serialNumber: string, country: string, owner: string) => ({
  ...{ serialNumber, name: serialNumber, model: 'kiosk', country, owner },
  ...{ labels: {}, lifecycle: 'active' as const },
});

beforeAll(async () => {
  db = await createTestDatabase();
  await createDevices(db, {
    people: [
      person('seven', 'Bo.Gonzalez7@example.com'),
      person('eight', 'bo.gonzalez8@example.com'),
      person('elsewhere', 'bo.gonzalez7@other.test'),
      person('longest', `${longest}@example.com`),
      ...Array.from({ length: 300 }, (_, n) => person(`info${n}`, `info@customer${n}.test`)),
    ],
    devices: [device('MB000001', 'DE', 'seven'), device('MB000002', 'PL', 'eight')],
  });
});
afterAll(() => db[Symbol.asyncDispose]());

async function find(text: string, viewer: Viewer = administrator): Promise<string[]> {
  const wanted = { text, variantsOf: mailboxVariants, limit: 7 };
  const hits = await findPeopleByMailbox(db, viewer, wanted);
  return hits.map(({ label }) => label.replace('Person ', ''));
}

test('finds an address with one error in its local part, also in a digit', async () => {
  expect((await find('bo.gonzalez@example.com')).toSorted()).toEqual(['eight', 'seven']);
  expect(await find('bo.gonzalze7@example.com')).toEqual(['seven']);
  expect(await find('bogonzale7@exmaple.com')).toEqual(['seven']);
  expect(await find('bo.gonzalez7@exmaple.com')).toEqual(['seven', 'elsewhere']);
  expect(await find('bo_gonzalez7@exmaple.com')).toEqual(['seven']);
  expect(await find('bo.gonzales@example.com')).toEqual([]);
});

test('finds a long local part with an error', async () => {
  expect(await find(`${longest.replace('very', 'vrey')}@example.com`)).toEqual(['longest']);
});

test('of many people with the same local part, finds the one at the typed domain first', async () => {
  expect((await find('inof@customer277.test'))[0]).toBe('info277');
  expect((await find('info@custmoer277.test'))[0]).toBe('info277');
});

test('finds only people whom the viewer sees, also if others are more similar', async () => {
  const german = limitedTo({ countries: ['DE'] }, ['people:read', 'devices:read']);
  expect(await find('bo.gonzalez9@example.com', german)).toEqual(['seven']);
  expect(await find('bo.gonzalez8@exmaple.com', german)).toEqual(['seven']);
  expect(await find('bo.gonzalez7@exmaple.com', limitedTo({}, ['devices:read']))).toEqual([]);
});

test('looks up each spelling in an index instead of reading all people', async () => {
  const plan = await db.database.orm.transaction(async (tx) => {
    // The few people of a test are read faster without an index.
    await tx.execute(sql`set local enable_seqscan = off`);
    const mailboxes = mailboxVariants('bogonzalez7');
    const wanted = { mailboxes, domain: 'example.com', ofEach: 10, limit: 100 };
    const query = peopleByMailboxes(tx, wanted).getSQL();
    return tx.execute(sql`explain ${query}`);
  });
  expect(JSON.stringify(plan.rows)).toMatch(/Index Scan using person_mailbox/);
});
