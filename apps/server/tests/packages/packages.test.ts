import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { deviceFilterSchema, type DeviceFilterToken } from '@deviceportal/contract/devices';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { listDeviceIds } from '../../src/devices/list/list-devices.ts';
import { applyPackages } from '../../src/packages/apply-packages.ts';
import { listDevicePackages, listPackageChanges } from '../../src/packages/list-device-packages.ts';
import { listPackageVersions, searchPackages } from '../../src/packages/search-packages.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { administrator, limitedTo } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let ids: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  const device = (serialNumber: string, country: string) => ({
    serialNumber,
    name: serialNumber,
    model: 'K1',
    country,
    labels: {},
    lifecycle: 'active' as const,
  });
  const created = await createDevices(
    { database: db.database },
    { people: [], devices: [device('PKG1', 'DE'), device('PKG2', 'DE'), device('PKG3', 'PL')] },
  );
  ids = ['PKG1', 'PKG2', 'PKG3'].map((serial) => created.get(serial) ?? '');
});
afterAll(() => db[Symbol.asyncDispose]());

type Listed = Record<string, string | readonly string[]>;

const report = (device: number, list: Listed, options: { after?: string; upTo?: string } = {}) =>
  inTransaction(db.database, (tx) =>
    applyPackages(tx, [
      {
        deviceId: ids[device] ?? '',
        at: new Date(),
        report: newId(),
        after: options.after ?? null,
        upTo: options.upTo ?? null,
        packages: Object.entries(list).flatMap(([name, versions]) =>
          [versions].flat().map((version) => ({ name, version })),
        ),
      },
    ]),
  );

const listed = async (device: number, text = '') => {
  const page = await listDevicePackages({ database: db.database }, administrator, {
    deviceId: ids[device] ?? '',
    text,
    cursor: null,
    pageSize: 100,
  });
  return page.rows.map(({ name, version }) => `${name} ${version}`);
};

const matching = async (
  operator: DeviceFilterToken['operator'],
  value: string,
  viewer: Viewer = administrator,
) => {
  const page = await listDeviceIds({ database: db.database, clock: () => new Date() }, viewer, {
    filter: deviceFilterSchema.parse({ tokens: [{ key: 'package', operator, values: [value] }] }),
    sort: 'serialNumber',
    descending: false,
    pageSize: 100,
    cursor: null,
  });
  return page.ids.map((id) => ids.indexOf(id));
};

test('treats a first list as no change, and records what later ones installed, replaced, and removed', async () => {
  expect(await report(0, { openssl: '3.0.11-1', bash: '5.2', kernel: ['5.1', '5.2'] })).toEqual([]);
  const changes = await report(0, { openssl: '3.0.13-1', curl: '8.0', kernel: ['5.1', '5.2'] });
  expect(changes.map(({ name, before, after }) => [name, before, after])).toEqual([
    ['bash', '5.2', null],
    ['curl', null, '8.0'],
    ['openssl', '3.0.11-1', '3.0.13-1'],
  ]);
  expect(await listed(0)).toEqual(['curl 8.0', 'kernel 5.1', 'kernel 5.2', 'openssl 3.0.13-1']);
  expect(await listed(0, 'SSL')).toEqual(['openssl 3.0.13-1']);
  const history = await listPackageChanges({ database: db.database }, administrator, {
    deviceId: ids[0] ?? '',
    cursor: null,
    pageSize: 2,
  });
  expect(history.rows.map(({ name }) => name)).toEqual(['openssl', 'curl']);
  expect(history.nextCursor).not.toBeNull();
});

test('changes only the names within the reported part of a list', async () => {
  await report(1, { bash: '5.2', openssl: '3.0.9-1', zlib: '1.3' });
  await report(1, { curl: '8.0' }, { upTo: 'm' });
  expect(await listed(1)).toEqual(['curl 8.0', 'openssl 3.0.9-1', 'zlib 1.3']);
  await report(1, {}, { after: 'openssl' });
  expect(await listed(1)).toEqual(['curl 8.0', 'openssl 3.0.9-1']);
});

test('finds devices by a package, by its version, and by all older or newer ones', async () => {
  await report(2, { openssl: '1:3.0.2-1' });
  expect(await matching('=', 'curl')).toEqual([0, 1]);
  expect(await matching('=', 'openssl:3.0.9-1')).toEqual([1]);
  expect(await matching('<', 'openssl:3.0.13')).toEqual([1]);
  expect(await matching('<=', 'openssl:3.0.13-1')).toEqual([0, 1]);
  // An epoch outweighs everything after it.
  expect(await matching('>', 'openssl:3.0.13')).toEqual([0, 2]);
  expect(await matching('!=', 'curl')).toEqual([2]);
  await expect(matching('<', 'openssl')).rejects.toMatchObject({ errorName: 'invalidParameters' });
});

test('counts devices within the scope, with the newest version first', async () => {
  const versions = await listPackageVersions({ database: db.database }, administrator, 'openssl');
  expect(versions).toEqual([
    { version: '1:3.0.2-1', devices: 1 },
    { version: '3.0.13-1', devices: 1 },
    { version: '3.0.9-1', devices: 1 },
  ]);
  const german = limitedTo({ countries: ['DE'] }, ['versions:read']);
  const page = await searchPackages({ database: db.database }, german, {
    text: 'l',
    cursor: null,
    pageSize: 2,
  });
  expect(page.rows).toEqual([
    { name: 'curl', versions: 1, devices: 2 },
    { name: 'kernel', versions: 2, devices: 1 },
  ]);
  const rest = await searchPackages({ database: db.database }, german, {
    text: 'l',
    cursor: page.nextCursor,
    pageSize: 2,
  });
  expect(rest).toEqual({ rows: [{ name: 'openssl', versions: 2, devices: 2 }], nextCursor: null });
});
