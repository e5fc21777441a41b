import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { applyPackages } from '../../../src/packages/apply-packages.ts';
import { deleteOldPackageChanges } from '../../../src/packages/data/delete-old-package-changes.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { applySoftware } from '../../../src/versions/apply-software.ts';
import { deleteOldVersionChanges } from '../../../src/versions/data/delete-old-version-changes.ts';
import { seedDevices } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const DAYS = 730;
const MOST = 20;
let db: TestDatabase;
let honest = '';
let flapping = '';

beforeAll(async () => {
  db = await createTestDatabase();
  [honest = '', flapping = ''] = await seedDevices(db.database, [{}, {}]);
});
afterAll(() => db[Symbol.asyncDispose]());

type Versions = Readonly<Record<string, string>>;
type Story = readonly (readonly [day: string, Versions])[];

/** Reports what a device runs, from each day on. */
async function tell(deviceId: string, story: Story): Promise<void> {
  for (const [day, versions] of story) {
    const components = Object.entries(versions).map(([component, version]) => ({
      component,
      version,
    }));
    const at = new Date(`${day}T12:00:00Z`);
    await inTransaction(db.database, (tx) => applySoftware(tx, [{ deviceId, at, components }]));
  }
}

async function changesOf(deviceId: string): Promise<string[]> {
  const { rows } = await db.database.pool.query<{ component: string; version: string | null }>(
    `select component, version from device_version_history where device_id = $1 order by id`,
    [deviceId],
  );
  return rows.map(({ component, version }) => `${component} ${version ?? 'removed'}`);
}

const day = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

test('old changes are deleted, and the version at the start of the remaining history stays known', async () => {
  await tell(honest, [
    [day(1_500), { os: '1', player: '1', legacy: '1' }],
    [day(1_400), { os: '1', player: '2' }],
    [day(1_000), { os: '1', player: '3' }],
    [day(100), { os: '1', player: '4' }],
  ]);
  await deleteOldVersionChanges(db.database, { days: DAYS });
  expect(await changesOf(honest)).toEqual(['os 1', 'player 3', 'player 4']);
  await deleteOldVersionChanges(db.database, { days: DAYS });
  expect(await changesOf(honest)).toEqual(['os 1', 'player 3', 'player 4']);
});

test('a device with changing components neither fills the disk nor displaces the history of others', async () => {
  const others = await changesOf(honest);
  for (let turn = 0; turn < 30; turn += 1)
    await tell(flapping, [[day(1), { os: '1', [`made-up-${turn}`]: '1', player: `${turn}` }]]);
  await deleteOldVersionChanges(db.database, { days: DAYS, most: MOST });
  const left = await changesOf(flapping);
  // The limit, plus the initial state: the system, the player, one removed and one added component.
  expect(left.length).toBeLessThanOrEqual(MOST + 4);
  expect(left).toEqual(expect.arrayContaining(['os 1', 'made-up-29 1', 'player 29']));
  expect(left).not.toContain('made-up-0 removed');
  expect(await changesOf(honest)).toEqual(others);
});

test('a device cannot fill the disk with changing packages either', async () => {
  for (let turn = 0; turn <= 30; turn += 1) {
    const packages = [{ name: 'bash', version: `${turn}` }];
    const piece = { deviceId: flapping, report: newId(), after: null, upTo: null, packages };
    const at = new Date(`${day(turn < 3 ? 1_000 - turn : 30 - turn)}T12:00:00Z`);
    await inTransaction(db.database, (tx) => applyPackages(tx, [{ ...piece, at }]));
  }
  const versions = async () =>
    (
      await db.database.pool.query<{ after: string }>(
        `select after from device_package_history where device_id = $1 order by id`,
        [flapping],
      )
    ).rows.map(({ after }) => Number(after));
  const from = (first: number): number[] =>
    Array.from({ length: 31 - first }, (_, index) => first + index);
  expect(await versions()).toEqual(from(1));
  await deleteOldPackageChanges(db.database, { days: DAYS });
  expect(await versions()).toEqual(from(3));
  await deleteOldPackageChanges(db.database, { days: DAYS, most: MOST });
  expect(await versions()).toEqual(from(31 - MOST));
});
