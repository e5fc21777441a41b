import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { deviceFilterSchema, listDevicesInput } from '@deviceportal/contract/devices';
import { countDevices } from '../../../src/devices/list/count-devices.ts';
import { createTextVault } from '../../../src/commands/output/text-vault.ts';
import { listDevicesPage } from '../../../src/devices/list/list-devices-page.ts';
import { encodeSearchCursor } from '../../../src/devices/data/search/search-cursor.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { seedDevices, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

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

test('a user cannot infer the start of serial numbers outside their scope from the results inside it', async () => {
  expect(await count(viewerWith('Viewer'), 'QX4711')).toBe(1);
  expect(await count(german, 'QX4711')).toBe(0);
  expect(await count(german, 'QX99')).toBe(1);
  expect(await count(german, 'QX47')).toBe(1);
  expect(await count(german, 'AB10')).toBe(1);
});

test('nor names from the end of a page of the list, or from a forged cursor', async () => {
  await seedDevices(
    db.database,
    Array.from({ length: 60 }, (_, index) => ({
      country: index % 5 > 2 ? 'FR' : 'PL',
      model: index % 5 === 1 || index % 5 === 2 ? 'unseen' : 'seen',
      name: `${String(index).padStart(2, '0')} ${index % 5 === 0 ? 'shown' : 'hidden'}`,
    })),
  );
  const polish = viewerWith('Viewer', { countries: ['PL'], models: ['seen'], labels: {} });
  const budget = { probeEntries: 4, walkEntries: 7, collectedRows: 0, tiedIds: 1, patient: false };
  const vault = createTextVault(randomBytes(32));
  const deps = { ...db, clock, vault, budgets: { first: budget, goingOn: budget } };
  const ask = (cursor: string | null) =>
    listDevicesPage(
      deps,
      polish,
      listDevicesInput.parse({
        filter: { tokens: [{ key: 'agentVersion', operator: ':', values: ['none of them'] }] },
        ...{ sort: 'name', descending: false, pageSize: 2, cursor },
      }),
    );
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: Awaited<ReturnType<typeof ask>> = await ask(cursor);
    const told = JSON.stringify(page) + Buffer.from(page.nextCursor ?? '', 'base64').toString();
    expect(told).not.toContain('hidden');
    expect(told).not.toContain('"k"');
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== null && pages < 20);
  expect(pages).toBeGreaterThan(3);
  const position = { s: 'name', d: false, k: '17', i: crypto.randomUUID(), w: false } as const;
  const own = encodeSearchCursor(position);
  await expect(ask(own)).rejects.toMatchObject({ code: 2004 });
});
