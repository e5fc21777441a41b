import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDispatcher, type Dispatcher } from '../../src/commands/execution/dispatcher.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import type { DownMessage } from '../../src/gateway/device-transport.ts';
import {
  createCommandFixture,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { until } from '../support/gateway-fixture.ts';

const operator = viewerWith('Operator');
let setup: TestDatabase;
let fixture: CommandFixture;
let dispatcher: Dispatcher;
let sent: DownMessage[] = [];

beforeAll(async () => {
  setup = await createTestDatabase();
  fixture = await createCommandFixture(setup.database);
  dispatcher = createDispatcher({
    database: setup.database,
    changes: fixture.deps.changes,
    vault: fixture.deps.vault,
    signing: fixture.deps.signing,
    transport: { publish: (messages) => void sent.push(...messages) },
    logger: { info() {}, warn() {}, error() {} },
    artefactUploadUrl: () => null,
    // Tests poll explicitly: a timed poll could resend what was just sent.
    pollIntervalMs: 3_600_000,
  });
});
afterAll(async () => {
  await dispatcher[Symbol.asyncDispose]();
  await setup[Symbol.asyncDispose]();
});

async function start(connectivities: readonly string[], maxConcurrency: string) {
  sent = [];
  const deviceIds = await seedDevices(
    setup.database,
    connectivities.map((connectivity) => ({ connectivity })),
  );
  const run = await runCommand(
    { ...fixture.deps, sendNew: dispatcher.sendNew },
    operator,
    runInput({
      command: 'storage/usage',
      target: { kind: 'devices', deviceIds },
      maxConcurrency,
    }),
  );
  return { run, deviceIds };
}

const statesOf = async (runId: string) => {
  const { rows } = await setup.database.orm.execute(sql`
    select state, sent_at is not null as sent from invocation where run_id = ${runId} order by id`);
  return rows;
};

const trailOf = async (runId: string) => {
  const { rows } = await setup.database.orm.execute(sql`
    select type, device_id, data ? 'sentAt' as sent from audit_event where run_id = ${runId} order by type, device_id`);
  return rows;
};

it('the transaction of a new run sends the command to connected devices, once', async () => {
  const { run, deviceIds } = await start(['online', 'offline', 'degraded'], '100%');
  expect(run).toMatchObject({
    state: 'InProgress',
    counters: { target: 3, pending: 1, inProgress: 2 },
  });
  expect(await statesOf(run.id)).toEqual([
    { state: 'InProgress', sent: true },
    { state: 'Pending', sent: false },
    { state: 'InProgress', sent: true },
  ]);
  await until(() => sent.length === 2);
  await dispatcher.poll();
  expect(sent.map(({ deviceId }) => deviceId)).toEqual([deviceIds[0], deviceIds[2]]);
  expect(await trailOf(run.id)).toEqual(
    deviceIds.map((device_id, index) => ({
      type: 'command.requested',
      device_id,
      sent: index !== 1,
    })),
  );
});

it('a run with a limit starts with one device', async () => {
  const { run, deviceIds } = await start(['offline', 'online', 'online'], '2');
  expect(run.counters).toMatchObject({ pending: 2, inProgress: 1 });
  await until(() => sent.length === 1);
  await dispatcher.poll();
  expect(sent.map(({ deviceId }) => deviceId)).toEqual([deviceIds[1]]);
  expect((await trailOf(run.id)).map((event) => event['sent'])).toEqual([false, true, false]);
});

it('a device that connects after the queue was searched is sent its commands', async () => {
  const { run, deviceIds } = await start(['online', 'offline', 'offline'], '100%');
  await until(() => sent.length === 1);
  const late = deviceIds[1] ?? '';
  await setup.database.orm.execute(
    sql`update device_status set connectivity = 'online' where device_id = ${late}`,
  );
  dispatcher.devicesConnected([late]);
  // Twice if the search is still in progress, because sent commands are resent when a device connects.
  await until(() => sent.some(({ deviceId }) => deviceId === late));
  expect(new Set(sent.map(({ deviceId }) => deviceId))).toEqual(new Set([deviceIds[0], late]));
  expect((await statesOf(run.id)).map((row) => row['state'])).toEqual([
    'InProgress',
    'InProgress',
    'Pending',
  ]);
});
