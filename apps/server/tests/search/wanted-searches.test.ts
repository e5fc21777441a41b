import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { findAnything, type SearchDeps } from '../../src/search/find-anything.ts';
import { administrator } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { firstResult } from './wanted/first-result.ts';
import { openWantedSearch, setState } from './wanted/open-wanted-search.ts';
import { similarFleet } from './wanted/similar-names.ts';
import { wantedSearches } from './wanted/wanted-searches.ts';

const WANTED_SHARE = 0.95;
const SIMILAR = 3_000;
let db: TestDatabase;
let search: SearchDeps;
beforeAll(async () => {
  db = await createTestDatabase();
  await createDevices(db, similarFleet(SIMILAR));
  await setState(db.database, 'DP', 'offline');
  await setState(db.database, 'DP00001', 'online');
  search = await openWantedSearch(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

test('the wanted result is the first one for at least 95 % of 200 searches, half of them English', async () => {
  expect(wantedSearches.length).toBeGreaterThanOrEqual(200);
  const missed: string[] = [];
  for (const { text, first } of wantedSearches) {
    const answer = await findAnything(search, administrator, { input: { text, kinds: [] } });
    const found = firstResult(answer);
    if (found !== first) missed.push(`${text}: ${found} instead of ${first}`);
  }
  const share = 1 - missed.length / wantedSearches.length;
  expect(share, missed.join('\n')).toBeGreaterThanOrEqual(WANTED_SHARE);
});
