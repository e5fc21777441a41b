import { expect, test } from 'vitest';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { fillPersonSearch } from '../../src/people/data/fill-person-search.ts';
import { createTestDatabase } from '../support/database/create-test-database.ts';

test('people from before an upgrade become searchable, batch by batch', async () => {
  await using db = await createTestDatabase();
  const { orm, pool } = db.database;
  const names = ['Ana Weber', '王伟', 'Jürgen Köhler', 'Zoë Smith', 'Li Na'];
  const people = names.map((name, index) => ({
    ...{ name, username: `fill-${index}`, email: `fill-${index}@example.com` },
    ...{ phone: null, country: 'DE', language: null },
  }));
  await createDevices(db, { people, devices: [] });
  const known = async () => (await pool.query('select * from person_search order by 1')).rows;
  const byTriggers = await known();
  expect(byTriggers.length).toBeGreaterThanOrEqual(names.length);
  await pool.query('delete from person_search');

  let after: string | null = null;
  let batches = 0;
  do {
    after = await fillPersonSearch(orm, { after, limit: 2 });
    batches += 1;
  } while (after !== null);

  expect(await known()).toEqual(byTriggers);
  expect(batches).toBeGreaterThan(2);
});
