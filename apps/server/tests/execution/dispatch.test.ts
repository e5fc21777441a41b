import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { systemActor } from '../../src/audit-trail/record-audit.ts';
import { applyInvocationEntries } from '../../src/commands/execution/apply-invocation-entries.ts';
import { dispatchRun } from '../../src/commands/execution/dispatch-run.ts';
import { requestCancel } from '../../src/commands/execution/request-cancel.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf, seedDevices, seedRun } from '../support/gateway-fixture.ts';

let setup: TestDatabase;
beforeAll(async () => {
  setup = await createTestDatabase();
});
afterAll(async () => {
  await setup[Symbol.asyncDispose]();
});

const runOf = async (id: string) =>
  (
    await rowsOf<Record<string, unknown>>(
      setup.database,
      'select * from command_run where id = $1',
      [id],
    )
  )[0];

const result = (invocationId: string, state: 'Success' | 'Failed') =>
  ({
    seq: 1,
    at: new Date().toISOString(),
    kind: 'invocation-result',
    invocationId,
    state,
    statusDetails: state,
    responseCode: state === 'Success' ? 0 : 1,
    startedAt: new Date().toISOString(),
    endedAt: new Date().toISOString(),
    outputTruncated: false,
  }) as const;

describe('many devices', () => {
  const someDevices = async (count: number) => {
    const devices = Array.from({ length: count }, (_, index) => ({
      deviceId: newId(),
      instanceId: newInstanceId(),
      name: `many ${index}`,
      connectivity: 'online',
    }));
    await seedDevices(setup.database, devices);
    return devices;
  };

  /** Reports straight into the journal's tables, as the gateway does. */
  const finish = async (ids: readonly string[], state: 'Success' | 'Failed') => {
    const rows = await rowsOf<{ id: string; device_id: string }>(
      setup.database,
      'select id, device_id from invocation where id = any($1)',
      [ids],
    );
    await inTransaction(setup.database, async (tx) => {
      const applied = await applyInvocationEntries(
        tx,
        rows.map((row) => ({
          deviceId: row.device_id,
          deviceName: 'x',
          entry: result(row.id, state),
        })),
        new Date(),
      );
      await applied.settle();
    });
  };

  test('[dispatch-1] the ramp sends 1, 2, 4 … up to the concurrency', async () => {
    const devices = await someDevices(20);
    const { runId } = await seedRun(setup.database, {
      deviceIds: devices.map(({ deviceId }) => deviceId),
      maxConcurrency: '6',
    });
    const sizes: number[] = [];
    for (;;) {
      const { claimed } = await dispatchRun(setup.database, runId);
      if (claimed.length === 0) break;
      sizes.push(claimed.length);
      await finish(
        claimed.map(({ id }) => id),
        'Success',
      );
    }
    expect(sizes).toEqual([1, 2, 4, 6, 6, 1]);
    expect(await runOf(runId)).toMatchObject({ state: 'Success', success_count: 20 });
  });

  test('[dispatch-6] at 100% everything is sent at once', async () => {
    const devices = await someDevices(20);
    const { runId } = await seedRun(setup.database, {
      deviceIds: devices.map(({ deviceId }) => deviceId),
      maxConcurrency: '100%',
    });
    const { claimed } = await dispatchRun(setup.database, runId);
    expect(claimed).toHaveLength(20);
    expect(await runOf(runId)).toMatchObject({ in_progress_count: 20, pending_count: 0 });
    await finish(
      claimed.map(({ id }) => id),
      'Success',
    );
    expect(await runOf(runId)).toMatchObject({ state: 'Success', success_count: 20 });
  });

  test('[dispatch-2] maxErrors 3 stops on the fourth error; what runs finishes, the rest is Terminated', async () => {
    const devices = await someDevices(30);
    const { runId } = await seedRun(setup.database, {
      deviceIds: devices.map(({ deviceId }) => deviceId),
      maxErrors: '3',
      maxConcurrency: '99%',
    });
    const first = await dispatchRun(setup.database, runId);
    await finish(
      first.claimed.map(({ id }) => id),
      'Failed',
    );
    const second = await dispatchRun(setup.database, runId);
    await finish(
      second.claimed.map(({ id }) => id),
      'Failed',
    );
    expect(await runOf(runId)).toMatchObject({ failed_count: 3, ended_at: null });
    const third = await dispatchRun(setup.database, runId);
    expect(third.claimed).toHaveLength(4);
    const [fatal, ...others] = third.claimed.map(({ id }) => id);
    await finish([fatal ?? ''], 'Failed');
    expect(await dispatchRun(setup.database, runId)).toMatchObject({ claimed: [] });
    expect(await runOf(runId)).toMatchObject({
      pending_count: 0,
      in_progress_count: 3,
      cancelled_count: 23,
      ended_at: null,
    });
    await finish(others, 'Success');
    expect(await runOf(runId)).toMatchObject({
      state: 'Failed',
      success_count: 3,
      failed_count: 4,
      cancelled_count: 23,
    });
  });

  test('[dispatch-3] two servers at once never send more than the limit nor anything twice', async () => {
    const devices = await someDevices(40);
    const { runId } = await seedRun(setup.database, {
      deviceIds: devices.map(({ deviceId }) => deviceId),
      maxConcurrency: '99%',
    });
    await setup.database.pool.query('update command_run set ramp_limit = 25 where id = $1', [
      runId,
    ]);
    const sent = await Promise.all(
      Array.from({ length: 6 }, () => dispatchRun(setup.database, runId)),
    );
    const ids = sent.flatMap(({ claimed }) => claimed.map(({ id }) => id));
    expect(ids).toHaveLength(25);
    expect(new Set(ids).size).toBe(25);
    await setup.database.pool.query(`update command_run set state = 'Cancelling' where id = $1`, [
      runId,
    ]);
  });

  test('[dispatch-4] counters equal the rows after any history', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom('dispatch', 'succeed', 'fail', 'cancel-one', 'cancel-run'),
            fc.nat(),
          ),
          { minLength: 5, maxLength: 25 },
        ),
        fc.constantFrom('0', '2', '50%'),
        async (actions, maxErrors) => {
          const devices = await someDevices(8);
          const { runId, invocationIds } = await seedRun(setup.database, {
            deviceIds: devices.map(({ deviceId }) => deviceId),
            maxErrors,
            maxConcurrency: '4',
          });
          await Promise.all(
            actions.map(([action, number]) => {
              const id = invocationIds[number % invocationIds.length] ?? '';
              if (action === 'dispatch') return dispatchRun(setup.database, runId);
              if (action === 'succeed') return finish([id], 'Success');
              if (action === 'fail') return finish([id], 'Failed');
              const target = action === 'cancel-run' ? { runId } : { invocationIds: [id] };
              return inTransaction(setup.database, (tx) =>
                requestCancel(tx, { target, actor: systemActor, requestId: randomUUID() }),
              );
            }),
          );
          const [row] = await rowsOf<Record<string, number | string | null>>(
            setup.database,
            `select r.*, n.* from command_run r, lateral (select
               count(*) filter (where state = 'Pending')::int as pending,
               count(*) filter (where state in ('InProgress', 'Cancelling'))::int as progress,
               count(*) filter (where state = 'Success')::int as success,
               count(*) filter (where state = 'Failed')::int as failed,
               count(*) filter (where state = 'Cancelled')::int as cancelled
             from invocation where run_id = r.id) n where r.id = $1`,
            [runId],
          );
          expect(row).toMatchObject({
            pending_count: row?.['pending'],
            in_progress_count: row?.['progress'],
            success_count: row?.['success'],
            failed_count: row?.['failed'],
            cancelled_count: row?.['cancelled'],
          });
          expect(row?.['ended_at'] !== null).toBe(row?.['pending'] === 0 && row['progress'] === 0);
        },
      ),
      { numRuns: 15 },
    );
  });
});
