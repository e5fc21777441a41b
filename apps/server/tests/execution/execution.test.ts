import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JournalDraft } from '@deviceportal/device-protocol/journal';
import { systemActor } from '../../src/audit-trail/record-audit.ts';
import { requestCancel } from '../../src/commands/execution/request-cancel.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  seedRun,
  until,
  type GatewayFixture,
  type TestDevice,
} from '../support/gateway-fixture.ts';

let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture();
});
afterAll(async () => {
  await setup[Symbol.asyncDispose]();
});

interface InvocationRow {
  readonly id: string;
  readonly state: string;
  readonly status_details: string;
  readonly output_preview: string;
  readonly stdout_length: number;
  readonly steps: object[];
  readonly response_code: number | null;
}
const invocationOf = async (id: string) =>
  (await rowsOf<InvocationRow>(setup.database, 'select * from invocation where id = $1', [id]))[0];
const runOf = async (id: string) =>
  (
    await rowsOf<Record<string, unknown>>(
      setup.database,
      'select * from command_run where id = $1',
      [id],
    )
  )[0];
const typesOf = async (runId: string) =>
  (
    await rowsOf<{ type: string }>(
      setup.database,
      'select type from audit_event where run_id = $1 order by at, id',
      [runId],
    )
  ).map(({ type }) => type);

const dataOf = async (runId: string, type: string) =>
  (
    await rowsOf<{ data: unknown }>(
      setup.database,
      'select data from audit_event where run_id = $1 and type = $2',
      [runId, type],
    )
  )[0]?.data;

async function connected(): Promise<TestDevice> {
  const device = await connectDevice(setup, await enrollTestDevice(setup));
  await until(async () => {
    const [row] = await rowsOf<{ connectivity: string }>(
      setup.database,
      'select connectivity from device_status where device_id = $1',
      [device.deviceId],
    );
    return row?.connectivity === 'online';
  });
  return device;
}

const commandOf = (device: TestDevice, invocationId: string) =>
  until(() => device.commands().find((command) => command['invocationId'] === invocationId));

const result = (
  invocationId: string,
  state: 'Success' | 'Failed' | 'Cancelled' = 'Success',
): JournalDraft => ({
  kind: 'invocation-result',
  invocationId,
  state,
  statusDetails: state,
  responseCode: state === 'Success' ? 0 : 1,
  startedAt: new Date().toISOString(),
  endedAt: new Date().toISOString(),
  outputTruncated: false,
});

describe('one device', () => {
  test('[execution-1] a command runs from queued to its result, every step of it in the audit trail', async () => {
    await using device = await connected();
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [device.deviceId],
    });
    const [id = ''] = invocationIds;
    setup.changes.publish([{ kind: 'run-created', runId }]);
    const command = await commandOf(device, id);
    expect(command).toMatchObject({ runId, documentName: 'test', documentVersion: 1, attempt: 1 });
    await device.journal(
      { kind: 'invocation-started', invocationId: id },
      { kind: 'invocation-output', invocationId: id, stream: 'stdout', offset: 0, text: 'hello ' },
      { kind: 'invocation-output', invocationId: id, stream: 'stdout', offset: 6, text: 'world\n' },
      {
        kind: 'invocation-step',
        invocationId: id,
        index: 0,
        name: 'a',
        action: 'aws:runShellScript',
        state: 'Success',
        exitCode: 0,
        startedAt: null,
        endedAt: null,
        reason: null,
      },
      result(id),
    );
    await until(() => device.ackedUpTo === 5);
    expect(await invocationOf(id)).toMatchObject({
      state: 'Success',
      output_preview: 'hello world\n',
      stdout_length: 12,
      response_code: 0,
    });
    expect(await runOf(runId)).toMatchObject({
      state: 'Success',
      success_count: 1,
      pending_count: 0,
      in_progress_count: 0,
    });
    // The start came with the end: one event says both.
    expect(await typesOf(runId)).toEqual(['command.sent', 'command.finished']);
    expect(await dataOf(runId, 'command.finished')).toMatchObject({
      state: 'Success',
      startedAt: expect.any(String),
    });
  });

  test('[execution-2] what is queued for an offline device is sent when it returns', async () => {
    const enrolled = await enrollTestDevice(setup);
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [enrolled.deviceId],
    });
    setup.changes.publish([{ kind: 'run-created', runId }]);
    await using device = await connectDevice(setup, enrolled);
    expect(await commandOf(device, invocationIds[0] ?? '')).toMatchObject({ runId });
  });

  test('[execution-3] a command that got lost is sent again on the next connection', async () => {
    const enrolled = await enrollTestDevice(setup);
    const first = await connectDevice(setup, enrolled);
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [enrolled.deviceId],
    });
    setup.changes.publish([{ kind: 'run-created', runId }]);
    await commandOf(first, invocationIds[0] ?? '');
    await first[Symbol.asyncDispose]();
    await using again = await connectDevice(setup, enrolled);
    await commandOf(again, invocationIds[0] ?? '');
    expect((await typesOf(runId)).filter((type) => type === 'command.sent')).toHaveLength(1);
  });

  test('[execution-4] a result that comes twice, or after the end, changes nothing', async () => {
    await using device = await connected();
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [device.deviceId],
    });
    const [id = ''] = invocationIds;
    setup.changes.publish([{ kind: 'run-created', runId }]);
    await commandOf(device, id);
    await device.journal(result(id), result(id, 'Failed'));
    await device.journal(result(id, 'Failed'));
    await until(() => device.ackedUpTo === 3);
    expect(await invocationOf(id)).toMatchObject({ state: 'Success' });
    expect(await runOf(runId)).toMatchObject({
      state: 'Success',
      success_count: 1,
      failed_count: 0,
    });
    expect((await typesOf(runId)).filter((type) => type === 'command.finished')).toHaveLength(1);
  });

  test("[execution-5] a device cannot report on another device's invocation", async () => {
    await using device = await connected();
    await using other = await connected();
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [device.deviceId],
    });
    setup.changes.publish([{ kind: 'run-created', runId }]);
    await commandOf(device, invocationIds[0] ?? '');
    await other.journal(result(invocationIds[0] ?? ''));
    await until(() => other.ackedUpTo === 1);
    expect(await invocationOf(invocationIds[0] ?? '')).toMatchObject({ state: 'InProgress' });
  });
});

describe('cancel', () => {
  const cancel = async (runId: string) => {
    const outcome = await inTransaction(setup.database, (tx) =>
      requestCancel(tx, { target: { runId }, actor: systemActor, requestId: 'r' }),
    );
    setup.changes.publish(outcome.changes);
    return outcome;
  };

  test('[cancel-1] what was not sent is cancelled at once', async () => {
    const device = await enrollTestDevice(setup);
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [device.deviceId],
    });
    await cancel(runId);
    expect(await invocationOf(invocationIds[0] ?? '')).toMatchObject({ state: 'Cancelled' });
    expect(await runOf(runId)).toMatchObject({
      state: 'Cancelled',
      cancelled_count: 1,
      pending_count: 0,
    });
  });

  test("[cancel-2] what runs is asked to stop, and the device's own end counts", async () => {
    await using device = await connected();
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [device.deviceId],
    });
    const [id = ''] = invocationIds;
    setup.changes.publish([{ kind: 'run-created', runId }]);
    await commandOf(device, id);
    await cancel(runId);
    await until(() => device.messages.some(({ channel }) => channel === 'cancel'));
    expect(await invocationOf(id)).toMatchObject({ state: 'Cancelling' });
    await device.journal(result(id, 'Cancelled'));
    await until(async () => (await runOf(runId))?.['state'] === 'Cancelled');
  });

  test('[cancel-3] cancel and result at once: exactly one of them ends it and the counters agree', async () => {
    await using device = await connected();
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => seedRun(setup.database, { deviceIds: [device.deviceId] })),
    );
    for (const { runId } of runs) setup.changes.publish([{ kind: 'run-created', runId }]);
    for (const { invocationIds } of runs) await commandOf(device, invocationIds[0] ?? '');
    await Promise.all([
      ...runs.map(({ runId }) => cancel(runId)),
      ...runs.map(({ invocationIds }) => device.journal(result(invocationIds[0] ?? ''))),
    ]);
    await until(() => device.ackedUpTo === 8);
    for (const { runId, invocationIds } of runs) {
      expect(await invocationOf(invocationIds[0] ?? '')).toMatchObject({ state: 'Success' });
      expect(await runOf(runId)).toMatchObject({
        state: 'Success',
        success_count: 1,
        in_progress_count: 0,
      });
    }
  });
});

describe('time-outs', () => {
  test('[expiry-1] a command that was not picked up in time ends as Delivery Timed Out', async () => {
    const device = await enrollTestDevice(setup);
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [device.deviceId],
      deliverySeconds: -1,
    });
    await setup.dispatcher.poll();
    await until(async () => (await runOf(runId))?.['state'] === 'TimedOut');
    expect(await invocationOf(invocationIds[0] ?? '')).toMatchObject({
      status_details: 'Delivery Timed Out',
    });
  });

  test('[expiry-2] nothing stays open past its expiry, whatever state it is in', async () => {
    const device = await enrollTestDevice(setup);
    const runs: string[] = [];
    for (const [state, started] of [
      ['Pending', false],
      ['InProgress', false],
      ['InProgress', true],
      ['Cancelling', true],
    ] as const) {
      const { runId } = await seedRun(setup.database, {
        deviceIds: [device.deviceId],
        expiresSeconds: -1,
      });
      await setup.database.pool.query(
        `update invocation set state = $2, sent_at = now(), started_at = case when $3 then now() end where run_id = $1`,
        [runId, state, started],
      );
      if (state !== 'Pending')
        await setup.database.pool.query(
          `update command_run set state = 'InProgress', pending_count = 0, in_progress_count = 1 where id = $1`,
          [runId],
        );
      runs.push(runId);
    }
    await setup.dispatcher.poll();
    await until(async () => {
      const rows = await Promise.all(runs.map(runOf));
      return rows.every((row) => row?.['ended_at'] !== null);
    });
    const rows = await Promise.all(runs.map(runOf));
    expect(rows.map((row) => row?.['status_details'])).toEqual([
      'Delivery Timed Out',
      'Delivery Timed Out',
      'Execution Timed Out',
      'Cancelled',
    ]);
  });

  test('[expiry-3] a command that runs too long on a connected device ends and is stopped there', async () => {
    await using device = await connected();
    const { runId, invocationIds } = await seedRun(setup.database, {
      deviceIds: [device.deviceId],
      executionTimeoutSeconds: 60,
    });
    const [id = ''] = invocationIds;
    setup.changes.publish([{ kind: 'run-created', runId }]);
    await commandOf(device, id);
    await device.journal({ kind: 'invocation-started', invocationId: id });
    await until(() => device.ackedUpTo === 1);
    await setup.database.pool.query(
      `update invocation set started_at = now() - interval '95 seconds' where id = $1`,
      [id],
    );
    await setup.database.pool.query(
      `update device_status set connectivity_since = now() - interval '95 seconds' where device_id = $1`,
      [device.deviceId],
    );
    await until(async () => (await invocationOf(id))?.status_details === 'Execution Timed Out');
    await until(() => device.messages.some(({ channel }) => channel === 'cancel'));
    expect(await runOf(runId)).toMatchObject({ state: 'TimedOut', timed_out_count: 1 });
  });

  test('[expiry-4] commands of a retired device are terminated', async () => {
    const device = await enrollTestDevice(setup);
    const { runId } = await seedRun(setup.database, { deviceIds: [device.deviceId] });
    await setup.database.pool.query(
      `update device_status set lifecycle = 'retired' where device_id = $1`,
      [device.deviceId],
    );
    setup.changes.publish([{ kind: 'devices-blocked', deviceIds: [device.deviceId] }]);
    await until(async () => (await runOf(runId))?.['ended_at'] !== null);
    expect(await runOf(runId)).toMatchObject({ state: 'Cancelled', status_details: 'Terminated' });
  });
});
