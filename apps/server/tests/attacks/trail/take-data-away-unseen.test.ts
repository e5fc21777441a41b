import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportDevicesInput } from '@deviceportal/contract/devices';
import { exportResults } from '../../../src/commands/answers/export-results.ts';
import { runCommand } from '../../../src/commands/run-command.ts';
import { exportDevices } from '../../../src/devices/list/export-devices.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const support = viewerWith('Support');
const caller = { viewer: support, ...origin };

let db: TestDatabase;
let fixture: CommandFixture;
let deviceIds: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
  deviceIds = await seedDevices(db.database, [{}, {}, {}]);
});
afterAll(() => db[Symbol.asyncDispose]());

const recorded = async (type: string) =>
  (
    await db.database.orm.execute(sql`
      select actor_id as by, run_id as run, data from audit_event where type = ${type}`)
  ).rows;

test('a user cannot export the list of devices with their owners unrecorded', async () => {
  const { count } = await exportDevices(fixture.deps, caller, exportDevicesInput.parse({}));
  expect(count).toBe(3);
  expect(await recorded('device.list-exported')).toEqual([
    { by: support.userId, run: null, data: { count: 3, truncated: false } },
  ]);
});

test('nor the output of devices in a run', async () => {
  const target = { kind: 'devices' as const, deviceIds };
  const { id } = await runCommand(
    fixture.deps,
    support,
    runInput({ command: 'logs/tail', target }),
  );
  await exportResults(fixture.deps, caller, { id, format: 'csv' });
  expect(await recorded('command.results-exported')).toEqual([
    { by: support.userId, run: id, data: { runId: id, command: 'logs/tail', format: 'csv' } },
  ]);
});
