import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { findPersonHits } from '../../src/people/find-person-hits.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { administrator, limitedTo } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
/** More than are ranked at first. */
const GERMANS = 600;
const german = limitedTo({ countries: ['DE'] }, ['people:read', 'devices:read']);
const polish = limitedTo({ countries: ['PL'] }, ['people:read', 'devices:read']);

const device = (serialNumber: string, country: string, owner: string) => ({
  ...{ serialNumber, name: serialNumber, model: 'kiosk', country, owner },
  ...{ labels: {}, lifecycle: 'active' as const },
});

beforeAll(async () => {
  db = await createTestDatabase();
  const usernames = [...Array.from({ length: GERMANS }, (_, n) => `berta${n}`), 'zberta'];
  await createDevices(db, {
    people: usernames.map((username, n) => ({
      ...{ username, name: `Berta Familie${n}`, email: `${username}@example.com` },
      ...{ phone: null, country: null, language: 'en' },
    })),
    devices: usernames.map((owner, n) =>
      device(`SC${String(n).padStart(6, '0')}`, owner === 'zberta' ? 'PL' : 'DE', owner),
    ),
  });
});
afterAll(() => db[Symbol.asyncDispose]());

const find = (viewer: Viewer, text: string) => findPersonHits(db, viewer, { text, limit: 7 });

test('finds the only one of hundreds with the same name whom the viewer sees', async () => {
  const hits = await find(polish, 'berta');
  expect(hits.map(({ label }) => label)).toEqual([`Berta Familie${GERMANS}`]);
});

test('finds as many as are shown for those who see many or all of them', async () => {
  for (const viewer of [german, administrator]) {
    expect(await find(viewer, 'berta')).toHaveLength(7);
  }
});
