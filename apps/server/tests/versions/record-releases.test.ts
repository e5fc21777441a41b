import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeFleet } from '../../../agent/src/fleet/describe-fleet.ts';
import { describePastSoftware } from '../../../agent/src/fleet/describe-past-software.ts';
import { describeReleases } from '../../../agent/src/fleet/describe-releases.ts';
import { createSimulatedFleet } from '../../src/devices/enrollment/create-simulated-fleet.ts';
import type { FileStore } from '../../src/platform/files/file-store.ts';
import { findSoftwareFiles } from '../../src/versions/software-files/find-software-files.ts';
import { getVersionAdoption } from '../../src/versions/get-version-adoption.ts';
import { getVersionMatrix } from '../../src/versions/get-version-matrix.ts';
import { listApprovals } from '../../src/versions/list-software.ts';
import { restateDevices } from '../../src/versions/restate-devices.ts';
import { administrator } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';

let db: TestDatabase;
let directory: string;
let files: FileStore;
const clock = () => new Date();

const record = (size: number) =>
  createSimulatedFleet({ database: db.database, clock, files }, size, async (wanted) => {
    const { owners, devices } = describeFleet(wanted);
    const pastOf = (device: (typeof devices)[number]) => ({
      ...device,
      pastSoftware: describePastSoftware(device),
    });
    return { owners, devices: devices.map(pastOf), ...describeReleases() };
  });

beforeAll(async () => {
  db = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'releases-'));
  files = createDirectoryFiles(directory, 'spread');
  await record(120);
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

test('compares the fleet of a new portal: devices are up to date, older, and newer', async () => {
  const states = async (component: string) => {
    const matrix = await getVersionMatrix({ database: db.database }, administrator, component);
    return new Set(matrix.rows.flatMap((row) => row.cells.map(({ state }) => state)));
  };
  expect(await states('kiosk-ui')).toEqual(new Set(['current', 'behind']));
  expect(await states('firmware')).toEqual(new Set(['current', 'behind', 'ahead']));
  expect((await states('os')).has('behind')).toBe(true);
});

test('derives the adoption of 90 days from the versions of devices', async () => {
  const adoption = await getVersionAdoption({ database: db.database, clock }, administrator, {
    component: 'kiosk-ui',
    days: 90,
  });
  expect(adoption.days.length).toBeGreaterThanOrEqual(89);
  const newest = adoption.series.find(({ version }) => version === '4.2.1')?.devices ?? [];
  expect(newest[0]).toBe(0);
  expect(newest.at(-1)).toBeGreaterThan(5);
  // Adoption only grows: no device goes back to an older version, and none is counted twice.
  expect(newest).toEqual(newest.toSorted((one, other) => one - other));
  const totals = adoption.days.map((_day, at) =>
    adoption.series.reduce((sum, { devices }) => sum + (devices[at] ?? 0), 0),
  );
  expect(new Set(totals).size).toBe(1);
});

test('keeps changes by users when the fleet grows', async () => {
  await db.database.pool.query("delete from version_approval where component = 'firmware'");
  await record(130);
  expect(await listApprovals({ database: db.database }, administrator, 'firmware')).toEqual([]);
});

test('stores the files of approved versions, which can be installed immediately', async () => {
  const wanted = describeReleases()
    .releases.filter(({ component, state }) => component === 'payment' && state === 'approved')
    .map(({ component, version }) => ({ component, version }));
  const found = await findSoftwareFiles({ database: db.database }, wanted);
  expect(found.map(({ version }) => version)).toEqual(wanted.map(({ version }) => version));
  for (const { component, version, storageKey } of found) {
    const stored = await files.open(storageKey);
    expect(stored && (await text(stored.content))).toContain(`${component} ${version}`);
  }
});

test('contains one device on a blocked version, counted as such', async () => {
  expect(await restateDevices({ database: db.database }, { limitMs: 20_000 })).toBe(true);
  const { rows } = await db.database.pool.query(
    "select component from device_tav where state = 'blocked' and component <> ''",
  );
  expect(rows).toEqual([{ component: 'payment' }]);
});
