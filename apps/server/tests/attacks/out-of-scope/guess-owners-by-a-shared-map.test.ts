import { afterAll, beforeAll, expect, test } from 'vitest';
import { locationCellsInput } from '@deviceportal/contract/locations';
import { everywhere } from '@deviceportal/contract/permissions';
import { createDevices } from '../../../src/devices/enrollment/create-devices.ts';
import { createShowPlaces } from '../../../src/locations/show-places.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { callerOf } from '../../devices/viewer-with.ts';
import { may, viewerHolding } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const clock = () => new Date();
const support = viewerHolding([may(['devices:read', 'locations:read', 'people:read'])]);
/** Sees devices everywhere, and people only in a country without any of these devices. */
const viewer = viewerHolding([
  may(['devices:read', 'locations:read']),
  may(['people:read'], { ...everywhere, countries: ['NZ'] }),
]);

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  await createDevices(db, {
    people: [
      {
        ...{ username: 'quince', name: 'Quince Medlar', email: 'quince@example.com' },
        ...{ phone: '+4915112345678', country: 'DE', language: 'en' },
      },
    ],
    devices: [
      {
        ...{ serialNumber: 'MAP0001', name: 'kiosk', model: 'kiosk', country: 'DE', labels: {} },
        ...{ owner: 'quince', software: [], lifecycle: 'active' },
        place: { latitude: 52.5, longitude: 13.4, accuracyMeters: 20, source: 'gps' },
      },
    ],
  });
});
afterAll(() => db[Symbol.asyncDispose]());

test('a user without the permission for owners cannot search for one by a cached map of another user', async () => {
  const show = createShowPlaces({
    database: db.database,
    clock,
    named: { supportedCountries: [] },
  });
  const input = locationCellsInput.parse({ filter: { text: 'quince' } });
  const total = async (by: Viewer) => (await show(callerOf(by), input)).total;
  expect(await total(support)).toBe(1);
  expect(await total(viewer)).toBe(0);
});
