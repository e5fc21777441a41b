import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunDetail } from '@deviceportal/contract/runs';
import { cancelRun } from '../../src/commands/cancel-run.ts';
import { pauseRun, resumeRun } from '../../src/commands/pause-run.ts';
import { rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import type { TargetAgreement } from '../../src/commands/target/target-agreement.ts';
import { undoRun } from '../../src/commands/undo/undo-run.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  shownDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishUndoable, stepsDone, UNDOABLE } from '../support/undoable-document.ts';

const AT_ONCE = 10;
const administrator = viewerWith('Administrator');
const colleague = viewerWith('Administrator');

let test: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  await publishUndoable(fixture.deps, administrator);
});
afterAll(() => test[Symbol.asyncDispose]());

interface Started extends RunDetail {
  readonly shown: TargetAgreement;
}

async function started(count = 2): Promise<Started> {
  const deviceIds = await seedDevices(
    test.database,
    Array.from({ length: count }, () => ({})),
  );
  const target = { kind: 'devices' as const, deviceIds };
  const input = runInput({ command: 'document', document: UNDOABLE, target });
  const run = await runCommand(fixture.deps, administrator, input);
  return { ...run, shown: shownDevices(deviceIds) };
}

/** The result as reported by the devices. */
const end = (runId: string, state: 'Success' | 'Failed') =>
  test.database.orm.execute(sql`
    update invocation set state = ${state}, status_details = ${state}, ended_at = now(),
      steps = ${stepsDone(state)}::jsonb
    where run_id = ${runId}`);

/** Runs an action ten times concurrently as two users. Returns the number of successes and the errors. */
async function atOnce<T>(act: (index: number) => Promise<T>) {
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, at) => act(at)));
  const done = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refusals = outcomes.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as object] : [],
  );
  return { done, refusals };
}
const either = (index: number) => (index % 2 === 0 ? administrator : colleague);

async function events(runId: string, type: string): Promise<number> {
  const { rows } = await test.database.orm.execute(sql`
    select count(distinct coalesce(device_id, run_id))::int as devices, count(*)::int as events
    from audit_event where run_id = ${runId} and type = ${type}`);
  const { devices, events: all } = rows[0] as { devices: number; events: number };
  expect(all).toBe(devices);
  return all;
}

const undoOf = ({ id, shown }: Started, idempotencyKey: string = randomUUID()) => ({
  ...{ runId: id, deviceId: null, comment: '', confirmation: '', agreement: shown },
  ...{ idempotencyKey, origin },
});
const rerunOf = (runId: string, shown: TargetAgreement) => ({
  ...{ runId, onlyFailed: false, answer: null, agreement: shown, confirmation: '' },
  ...{ idempotencyKey: randomUUID(), origin },
});

it('a run cannot be undone several times by concurrent requests', async () => {
  const run = await started();
  await end(run.id, 'Success');
  const { done, refusals } = await atOnce((at) => undoRun(fixture.deps, either(at), undoOf(run)));
  expect(done).toHaveLength(1);
  expect(refusals).toHaveLength(AT_ONCE - 1);
  for (const refusal of refusals)
    expect(refusal).toMatchObject({
      errorName: 'invalidParameters',
      facts: { hindrance: 'undone' },
    });
});

it('concurrent identical undo requests create one undo', async () => {
  const run = await started();
  await end(run.id, 'Success');
  const request = undoOf(run, randomUUID());
  const { done } = await atOnce(() => undoRun(fixture.deps, administrator, request));
  expect(done).toHaveLength(AT_ONCE);
  expect(new Set(done.map(({ id }) => id)).size).toBe(1);
});

it('a device cannot be reverted twice by running a failed undo again', async () => {
  const run = await started();
  await end(run.id, 'Success');
  const failed = await undoRun(fixture.deps, administrator, undoOf(run));
  await end(failed.id, 'Failed');
  const { done } = await atOnce((at) =>
    at % 2 === 0
      ? rerunCommand(fixture.deps, either(at), rerunOf(failed.id, run.shown))
      : undoRun(fixture.deps, either(at), undoOf(run)),
  );
  expect(done).toHaveLength(1);
});

it('pause, resume, and cancel cannot be recorded several times', async () => {
  const { id } = await started();
  await atOnce((at) => pauseRun(fixture.deps, either(at), { id, origin }));
  expect(await events(id, 'command.paused')).toBe(2);
  await atOnce((at) => resumeRun(fixture.deps, either(at), { id, origin }));
  expect(await events(id, 'command.resumed')).toBe(2);
  const { done } = await atOnce((at) => cancelRun(fixture.deps, either(at), { id, origin }));
  expect(done).toHaveLength(AT_ONCE);
  expect(await events(id, 'command.cancel-requested')).toBe(2);
  expect(await events(id, 'command.cancelled')).toBe(2);
});

it('concurrent pause and cancel requests leave one state and cause no server error', async () => {
  const { id } = await started();
  const { refusals } = await atOnce((at) =>
    (at % 2 === 0 ? pauseRun : cancelRun)(fixture.deps, either(at), { id, origin }),
  );
  expect(refusals).toEqual([]);
  const { rows } = await test.database.orm.execute(sql`
    select state, cancelled_count as cancelled from command_run where id = ${id}`);
  expect(rows).toEqual([{ state: 'Cancelled', cancelled: 2 }]);
});
