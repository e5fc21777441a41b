import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { dispatchRun } from '../../src/commands/execution/dispatch-run.ts';
import { findSent, findUnanswered } from '../../src/commands/data/execution/open-work-queries.ts';
import { terminateInvocations } from '../../src/commands/execution/terminate-invocations.ts';
import { inTransaction, type Transaction } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf, seedDevices, seedRun } from '../support/gateway-fixture.ts';

let setup: TestDatabase;
beforeAll(async () => {
  setup = await createTestDatabase();
});
afterAll(() => setup[Symbol.asyncDispose]());

async function seedTwo(): Promise<string> {
  const devices = ['one', 'two'].map((name) => ({
    ...{ deviceId: newId(), instanceId: newInstanceId() },
    ...{ name, connectivity: 'online' },
  }));
  await seedDevices(setup.database, devices);
  const { runId } = await seedRun(setup.database, {
    deviceIds: devices.map(({ deviceId }) => deviceId),
    maxConcurrency: '1',
  });
  return runId;
}

/** What the sender learns of a run that changes after it has looked, while it waits for the run's lock. */
async function sendWhile(runId: string, change: string) {
  const client = await setup.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from command_run where id = $1 for update', [runId]);
    const sending = dispatchRun(setup.database, runId);
    await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 20_000 });
    await client.query(change, [runId]);
    await client.query('commit');
    return await sending;
  } finally {
    client.release();
  }
}

const waiting = async () =>
  (
    await rowsOf(
      setup.database,
      `select from pg_stat_activity
       where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
    )
  ).length;

const sentOf = async (runId: string) =>
  (
    await rowsOf(
      setup.database,
      'select from invocation where run_id = $1 and sent_at is not null',
      [runId],
    )
  ).length;

test('[dispatch-race-1] a run that is paused while its next device is being chosen sends nothing more', async () => {
  const runId = await seedTwo();
  const { claimed } = await sendWhile(
    runId,
    `update command_run set state = 'Paused', status_details = 'Paused', paused_at = now() where id = $1`,
  );
  expect(claimed).toEqual([]);
  expect(await sentOf(runId)).toBe(0);
});

test('[dispatch-race-2] an error too many that comes in while the next device is being chosen stops the run', async () => {
  const runId = await seedTwo();
  const { claimed } = await sendWhile(
    runId,
    `with failed as (
       update invocation set state = 'Failed', status_details = 'Failed', ended_at = now()
       where id = (select id from invocation where run_id = $1 order by id desc limit 1))
     update command_run set failed_count = 1, pending_count = pending_count - 1 where id = $1`,
  );
  expect(claimed).toEqual([]);
  expect(await sentOf(runId)).toBe(0);
  const runs = await rowsOf(setup.database, 'select state from command_run where id = $1', [runId]);
  expect(runs).toEqual([{ state: 'Failed' }]);
});

test('[dispatch-race-3] a place that another server takes while the next device is being chosen is not given twice', async () => {
  const runId = await seedTwo();
  const { claimed } = await sendWhile(
    runId,
    `update command_run set in_progress_count = 1, pending_count = pending_count - 1 where id = $1`,
  );
  expect(claimed).toEqual([]);
  expect(await sentOf(runId)).toBe(0);
});

test('[dispatch-race-4] what an instance was sent is not sent to the one that takes its place', async () => {
  const { runId, deviceId } = await seedOne();
  await dispatchRun(setup.database, runId);
  await inTransaction(setup.database, (tx) => replaceInstance(tx, deviceId));
  // It connects before anybody has ended what the other one was sent.
  expect(await findSent(setup.database, [deviceId])).toEqual([]);
  expect(await findUnanswered(setup.database, 0)).toEqual([]);
});

test('[dispatch-race-5] what is sent while a device is enrolled anew ends with the instance that it was meant for', async () => {
  const { runId, deviceId } = await seedOne();
  await inTransaction(setup.database, async (tx) => {
    await replaceInstance(tx, deviceId);
    expect((await dispatchRun(setup.database, runId)).claimed).toHaveLength(1);
  });
  await terminateInvocations(setup.database, [deviceId]);
  const ended = await rowsOf(
    setup.database,
    'select status_details from invocation where run_id = $1',
    [runId],
  );
  expect(ended).toEqual([{ status_details: 'Undeliverable' }]);
});

async function seedOne(): Promise<{ readonly runId: string; readonly deviceId: string }> {
  const [deviceId, instanceId] = [newId(), newInstanceId()];
  await seedDevices(setup.database, [
    { deviceId, instanceId, name: 'device', connectivity: 'online' },
  ]);
  const { runId } = await seedRun(setup.database, { deviceIds: [deviceId] });
  return { runId, deviceId };
}

/** As `enrollDevice` does it for a device that comes back with an empty disk. */
async function replaceInstance(tx: Transaction, deviceId: string): Promise<void> {
  const instanceId = newInstanceId();
  await tx.execute(sql`
    update device_instance set state = 'superseded' where device_id = ${deviceId} and state = 'current'`);
  await tx.execute(sql`
    insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version, architecture,
      agent_version, host_name, certificate_fingerprint, certificate_ends_at)
    values (${instanceId}, ${deviceId}, 'current', 'Linux', 'Test', '1', 'x64', '1.0.0', '', '', now())`);
  await tx.execute(
    sql`update device_status set instance_id = ${instanceId} where device_id = ${deviceId}`,
  );
}
