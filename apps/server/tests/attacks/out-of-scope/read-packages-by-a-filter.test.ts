import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceFilterSchema, type DeviceFilterToken } from '@deviceportal/contract/devices';
import { newId } from '@deviceportal/contract/ids';
import { everywhere } from '@deviceportal/contract/permissions';
import { countDevices } from '../../../src/devices/list/count-devices.ts';
import { suggestValues } from '../../../src/devices/list/suggest-values.ts';
import { applyPackages } from '../../../src/packages/apply-packages.ts';
import { createLocalChangeFeed } from '../../../src/platform/change-feed.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { compareSimilarDevices } from '../../../src/similar-devices/compare-similar-devices.ts';
import { may, seedDevices, viewerHolding, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const clock = () => new Date();
const viewer = viewerWith('Viewer');
const without = viewerHolding([may(['devices:read'])]);
const elsewhere = viewerHolding([
  may(['devices:read']),
  may(['versions:read'], { ...everywhere, countries: ['PL'] }),
]);

let db: TestDatabase;
let own: string;

beforeAll(async () => {
  db = await createTestDatabase();
  const ids = await seedDevices(
    db.database,
    Array.from({ length: 12 }, () => ({ country: 'DE' })),
  );
  own = ids[0] ?? '';
  await db.database.pool.query(`update device_status set seen_rank = 'infinity'`);
  await inTransaction(db.database, (tx) =>
    applyPackages(
      tx,
      ids.map((deviceId) => ({
        ...{ deviceId, at: new Date(), report: newId(), after: null, upTo: null },
        packages: [{ name: 'openssl', version: deviceId === own ? '1.0.1' : '3.0.13' }],
      })),
    ),
  );
});
afterAll(() => db[Symbol.asyncDispose]());

const found = async (by: Viewer, operator: DeviceFilterToken['operator'], value: string) => {
  const tokens = [{ key: 'package' as const, operator, values: [value] }];
  return (await countDevices({ ...db, clock }, by, deviceFilterSchema.parse({ tokens }))).count;
};

test.each([
  ['nowhere', without],
  ['elsewhere only', elsewhere],
])('a user who may read versions %s cannot find devices by their packages', async (_where, by) => {
  expect(await found(viewer, '=', 'openssl:1.0.1')).toBe(1);
  expect(await found(viewer, '!=', 'openssl:1.0.1')).toBe(11);
  expect(await found(by, '=', 'openssl:1.0.1')).toBe(0);
  expect(await found(by, '<', 'openssl:2')).toBe(0);
  expect(await found(by, '!=', 'openssl:1.0.1')).toBe(12);
});

test('nor infer packages from suggestions or a comparison of devices', async () => {
  const deps = {
    database: db.database,
    clock,
    changes: createLocalChangeFeed(() => {}),
    installCommand: async () => '',
  };
  const told = async (by: Viewer) => {
    const suggested = await suggestValues(deps, by, { key: 'package', text: 'openssl:' });
    const compared = await compareSimilarDevices(deps, by, own);
    expect(compared.healthy).toBe(11);
    return JSON.stringify([suggested, compared.differences]);
  };
  expect(await told(viewer)).toMatch(/openssl:1\.0\.1.*"own":"1\.0\.1"/);
  expect(await told(without)).not.toContain('openssl');
  expect(await told(elsewhere)).not.toContain('openssl');
});
