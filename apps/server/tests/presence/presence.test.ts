import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { announcePresence } from '../../src/presence/announce-presence.ts';
import { may, seedDevices, viewerHolding } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const ana = {
  ...viewerHolding([may(['devices:read', 'people:read'])]),
  username: 'ana@example.com',
};
const faceless = { ...viewerHolding([may(['devices:read'])]), username: 'ben@example.com' };
const abroad = viewerHolding([may(['devices:read'], { ...everywhere, countries: ['FR'] })]);

let db: TestDatabase;
let deviceId: string;
beforeAll(async () => {
  db = await createTestDatabase();
  [deviceId = ''] = await seedDevices(db.database, [{ country: 'DE' }]);
  for (const { userId, username } of [ana, faceless]) {
    await db.database.orm.execute(sql`
      insert into portal_user (id, subject, username, name) values (${userId}, ${userId}, ${username}, 'N')`);
  }
});
afterAll(() => db[Symbol.asyncDispose]());

const look = (viewer: typeof ana, leaving = false) =>
  announcePresence(db, viewer, { deviceId, leaving });

test('shows two viewers of a device to each other, one of them masked', async () => {
  expect(await look(ana)).toEqual([]);
  expect(await look(faceless)).toMatchObject([{ userId: ana.userId, name: 'a•••' }]);
  expect(await look(ana)).toMatchObject([{ userId: faceless.userId, name: 'ben@example.com' }]);
});

test('removes a viewer who leaves or stops refreshing', async () => {
  await look(faceless, true);
  expect(await look(ana)).toEqual([]);
  await look(faceless);
  await db.database.orm.execute(sql`
    update device_presence set seen_at = now() - interval '1 minute' where user_id = ${faceless.userId}`);
  expect(await look(ana)).toEqual([]);
});

test("hides a device outside the viewer's scope", async () => {
  await expect(look(abroad)).rejects.toMatchObject({ code: 6000 });
});
