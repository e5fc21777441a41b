import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExplainInput, Reason } from '@deviceportal/contract/explanations';
import { newId } from '@deviceportal/contract/ids';
import { everywhere } from '@deviceportal/contract/permissions';
import { getAirBlast } from '../../src/air-blast/get-air-blast.ts';
import { cancelInvocation } from '../../src/commands/invocations/cancel-invocation.ts';
import { dispatchRun } from '../../src/commands/execution/dispatch-run.ts';
import { expireInvocations } from '../../src/commands/execution/expire-invocations.ts';
import { pauseRun } from '../../src/commands/pause-run.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { pauseSchedule } from '../../src/commands/schedules/change-schedule.ts';
import { createSchedule } from '../../src/commands/schedules/create-schedule.ts';
import { explain } from '../../src/explanations/explain.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import {
  origin,
  runInput,
  seedDevices,
  type SeededDevice,
  shownDevices,
  viewerHolding,
  viewerWith,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
const operator = viewerWith('Operator');
const reader = viewerWith('Viewer');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

const why = async (of: ExplainInput, viewer: Viewer = operator): Promise<readonly Reason[]> => {
  const [only] = await explain(fixture.deps, viewer, of);
  return only?.reasons ?? [];
};
const codes = (reasons: readonly Reason[]) => reasons.map(({ code }) => code);

async function send(devices: readonly SeededDevice[], maxConcurrency = '50', maxErrors = '0') {
  const deviceIds = await seedDevices(test.database, devices);
  const run = await runCommand(
    fixture.deps,
    operator,
    runInput({
      command: 'restart/agent',
      target: { kind: 'devices', deviceIds },
      maxConcurrency,
      maxErrors,
    }),
  );
  const { rows } = await test.database.orm.execute<{ id: string }>(
    sql`select i.id from unnest(${sql.param(deviceIds)}::uuid[]) with ordinality as d(id, place)
        join invocation i on i.device_id = d.id and i.run_id = ${run.id} order by place`,
  );
  return { run, deviceIds, invocations: rows.map(({ id }) => id) };
}

const setInvocation = (id: string, set: ReturnType<typeof sql>) =>
  test.database.orm.execute(sql`update invocation set ${set} where id = ${id}`);

describe('an invocation', () => {
  it('waits for its device: since when, until when, and a link to it', async () => {
    const { deviceIds, invocations } = await send([
      { connectivity: 'offline', serialNumber: 'SNWHY1' },
    ]);
    await test.database.orm.execute(sql`
      update device_status set connectivity_since = '2026-11-01T08:00:00Z', disconnect_reason = 'timeout'
      where device_id = ${deviceIds[0]}`);
    const [reason, ...others] = await why({ kind: 'invocation', id: invocations[0] ?? '' });
    expect(others).toEqual([]);
    expect(reason).toMatchObject({
      code: 'device-offline',
      facts: { device: 'SNWHY1', reason: 'timeout' },
      since: '2026-11-01T08:00:00.000Z',
      until: expect.any(String) as string,
      act: { kind: 'wait-for-device', on: { deviceId: deviceIds[0] }, lacks: null },
    });
  });

  it('is held by a paused run; viewers without permission to resume it see whom to ask', async () => {
    const { run, invocations } = await send([{ connectivity: 'offline' }]);
    await pauseRun(fixture.deps, operator, { id: run.id, origin });
    const of = { kind: 'invocation', id: invocations[0] ?? '' } as const;
    const [paused, offline] = await why(of);
    expect(paused).toMatchObject({
      code: 'run-paused',
      facts: { by: operator.username },
      act: { kind: 'resume-run', on: { runId: run.id }, lacks: null },
    });
    expect(offline?.code).toBe('device-offline');
    const [theirs] = await why(of, reader);
    expect(theirs?.facts['by']).not.toBe(operator.username);
    expect(theirs?.act?.lacks).toEqual({
      kind: 'right',
      who: null,
      permission: 'commands:run:@changes',
      roles: ['Administrator', 'Operator', 'Support'],
    });
  });

  it('waits for a free place in the run, then for the commands before it on the device', async () => {
    const { run, deviceIds, invocations } = await send([{}, {}], '1');
    await dispatchRun(test.database, run.id);
    expect(await why({ kind: 'invocation', id: invocations[1] ?? '' })).toMatchObject([
      { code: 'turn-not-reached', facts: { ahead: 0, running: 1, places: 1 } },
    ]);
    const first = { kind: 'invocation', id: invocations[0] ?? '' } as const;
    expect(codes(await why(first))).toEqual(['sent-unanswered']);
    const other = await runCommand(
      fixture.deps,
      operator,
      runInput({
        command: 'restart/service',
        parameters: { service: 'cron' },
        target: { kind: 'devices', deviceIds: deviceIds.slice(0, 1) },
      }),
    );
    await setInvocation(
      other.invocationId ?? '',
      sql`state = 'InProgress', started_at = '2026-11-20T10:00:00Z'`,
    );
    expect(await why(first)).toMatchObject([
      {
        code: 'behind-run',
        facts: { command: 'restart/service', by: operator.username },
        since: '2026-11-20T10:00:00.000Z',
        act: { kind: 'open-invocation', on: { invocationId: other.invocationId } },
      },
    ]);
  });

  it('was rejected by its device: the step, its exit code, and steps with a false precondition', async () => {
    const { invocations } = await send([{}]);
    const id = invocations[0] ?? '';
    const step = (name: string, state: string, reason: string | null, exitCode: number | null) => ({
      index: 0,
      name,
      action: 'aws:runShellScript',
      state,
      exitCode,
      startedAt: null,
      endedAt: null,
      reason,
    });
    const steps = JSON.stringify([
      step('windows', 'Skipped', 'not for Linux', null),
      step('restart', 'Failed', 'no such unit', 5),
      step('tidy', 'Skipped', 'an earlier step ended the document', null),
    ]);
    await setInvocation(
      id,
      sql`state = 'Failed', status_details = 'Failed', response_code = 5, ended_at = now(), steps = ${steps}::jsonb`,
    );
    expect(await why({ kind: 'invocation', id })).toMatchObject([
      { code: 'failed', facts: { step: 'restart', exitCode: 5, reason: 'no such unit' } },
      { code: 'precondition-false', facts: { step: 'windows', reason: 'not for Linux' } },
    ]);
  });

  it('has timed out, or was canceled by a user', async () => {
    const { run, invocations } = await send([{ connectivity: 'offline' }, {}]);
    await cancelInvocation(fixture.deps, operator, { id: invocations[1] ?? '', origin });
    expect(await why({ kind: 'invocation', id: invocations[1] ?? '' })).toMatchObject([
      { code: 'cancelled', facts: { by: operator.username }, act: { kind: 'run-command' } },
    ]);
    await test.database.orm.execute(
      sql`update command_run set deliver_before = now() - interval '1 hour' where id = ${run.id}`,
    );
    await expireInvocations(test.database);
    expect(codes(await why({ kind: 'invocation', id: invocations[0] ?? '' }))).toEqual([
      'delivery-timed-out',
      'device-offline',
    ]);
  });

  it('of a suspended device shows who can resume it; outside the scope it does not exist', async () => {
    const { deviceIds, invocations } = await send([{ connectivity: 'offline', country: 'DE' }]);
    await test.database.orm.execute(
      sql`update device set lifecycle = 'suspended' where id = ${deviceIds[0]}`,
    );
    const of = { kind: 'invocation', id: invocations[0] ?? '' } as const;
    expect(await why(of, viewerWith('Support'))).toMatchObject([
      {
        code: 'device-suspended',
        act: {
          kind: 'resume-device',
          lacks: { permission: 'devices:manage', roles: ['Administrator', 'Operator'] },
        },
      },
    ]);
    const inFrance = viewerWith('Operator', { ...everywhere, countries: ['FR'] });
    await expect(why(of, inFrance)).rejects.toMatchObject({ code: 5000 });
    await expect(why(of, viewerHolding([]))).rejects.toMatchObject({ code: 1000 });
  });
});

it('a run groups its open devices in scope by cause, with the one that has been offline longest', async () => {
  const { run, deviceIds } = await send(
    [
      { connectivity: 'offline', country: 'DE' },
      { connectivity: 'offline', country: 'FR', serialNumber: 'SNLONGEST' },
      { country: 'DE' },
      { country: 'DE' },
    ],
    '1',
  );
  await test.database.orm.execute(sql`
    update device_status set connectivity_since = case device_id when ${deviceIds[1]} then
      '2026-01-01T00:00:00Z'::timestamptz else '2026-11-01T00:00:00Z' end
    where device_id = any(${sql.param(deviceIds)}::uuid[]) and connectivity = 'offline'`);
  await dispatchRun(test.database, run.id);
  const of = { kind: 'run', id: run.id } as const;
  expect(await why(of)).toMatchObject([
    {
      code: 'run-devices-offline',
      facts: { count: 2, device: 'SNLONGEST', more: 0 },
      since: '2026-01-01T00:00:00.000Z',
      act: { kind: 'open-device', on: { deviceId: deviceIds[1] } },
    },
    { code: 'run-devices-running', facts: { count: 1 } },
    { code: 'run-devices-waiting', facts: { count: 1, places: 1 } },
  ]);
  const inGermany = viewerWith('Operator', { ...everywhere, countries: ['DE'] });
  expect((await why(of, inGermany))[0]).toMatchObject({
    code: 'run-devices-offline',
    facts: { count: 1 },
  });
});

it('a ramping run shows how many invocations can be in progress now, and at most', async () => {
  const { run } = await send(
    Array.from({ length: 8 }, () => ({})),
    '5',
  );
  const waiting = async (): Promise<unknown> => {
    await dispatchRun(test.database, run.id);
    const reasons = await why({ kind: 'run', id: run.id });
    return reasons.find(({ code }) => code === 'run-devices-waiting')?.facts;
  };
  expect(await waiting()).toMatchObject({ count: 7, places: 1, limit: 5, ramps: 1 });
  await test.database.orm.execute(sql`update command_run set ramp_limit = 5 where id = ${run.id}`);
  expect(await waiting()).toMatchObject({ count: 3, places: 5, limit: 5, ramps: 0 });
});

it('an unsuccessful run shows how its devices ended, and offers to retry them', async () => {
  const { run, deviceIds } = await send([{}, {}, {}], '50', '3');
  await fixture.answer((deviceId) => (deviceId === deviceIds[0] ? 'Success' : 'Failed'));
  expect(await why({ kind: 'run', id: run.id })).toMatchObject([
    {
      code: 'run-not-successful',
      facts: { missed: 2, target: 3 },
      act: { kind: 'retry-failed', on: { runId: run.id, onlyFailed: 1, target: 2 } },
    },
    { code: 'run-devices-ended', facts: { count: 2, details: 'Failed' } },
  ]);
});

it('a schedule shows when it runs next, or that it is paused and how to resume it', async () => {
  const deviceIds = await seedDevices(test.database, [{}]);
  const { idempotencyKey: _key, ...run } = runInput({ command: 'restart/agent' });
  const schedule = await createSchedule(fixture.deps, operator, {
    ...run,
    target: { kind: 'devices', deviceIds },
    agreement: shownDevices(deviceIds),
    confirmation: '',
    id: newId(),
    name: 'nightly',
    times: { kind: 'cron', cron: '0 3 * * *', timeZone: 'UTC' },
    missed: 'skip',
    freeze: false,
  });
  const of = { kind: 'schedule', id: schedule.id } as const;
  expect(await why(of)).toMatchObject([
    { code: 'schedule-next', until: schedule.nextTimes[0], act: { kind: 'run-now' } },
  ]);
  await pauseSchedule(fixture.deps, operator, { id: schedule.id, origin });
  expect(await why(of)).toMatchObject([
    { code: 'schedule-paused', act: { kind: 'resume-schedule', lacks: null } },
  ]);
  await test.database.orm.execute(
    sql`update run_schedule set signed_authorization = null where id = ${schedule.id}`,
  );
  expect(await why(of)).toEqual([
    expect.objectContaining({ code: 'authorization-missing', act: null }),
  ]);
});

it('an AirBlast rollout shows whom it waits for, and why nothing was sent to a device', async () => {
  const [lost, ...found] = (await seedDevices(test.database, [
    { connectivity: 'offline' },
    ...Array.from({ length: 3 }, () => ({})),
  ])) as [string, ...string[]];
  const plan = await fixture.plan(operator, [lost, ...found]);
  const of = { kind: 'air-blast', id: plan.id } as const;
  expect(codes(await why(of))).toEqual(['air-blast-role-needed']);
  await fixture.next(operator, plan);
  const { nextStep, roleExpiresAt } = await getAirBlast(fixture.deps, operator, plan.id);
  expect(await why(of)).toMatchObject([
    {
      code: 'air-blast-your-step',
      facts: { step: 'canary' },
      until: nextStep?.expiresAt,
      act: { kind: 'open-air-blast', lacks: null },
    },
  ]);
  fixture.setNow(new Date(Date.parse(roleExpiresAt ?? '')));
  expect(await why(of)).toMatchObject([{ code: 'air-blast-role-ended', since: roleExpiresAt }]);
  fixture.setNow(null);
  const colleague = viewerWith('Operator');
  expect(await why(of, colleague)).toMatchObject([
    {
      code: 'air-blast-next-step',
      facts: { step: 'canary', operator: operator.username },
      act: { kind: 'take-over-air-blast', lacks: { kind: 'person', who: operator.username } },
    },
  ]);
  const target = (deviceId: string) =>
    ({ kind: 'air-blast-target', id: plan.id, deviceId }) as const;
  expect(codes(await why(target(lost)))).toEqual(['device-offline']);
  expect(codes(await why(target(found[0] ?? '')))).toEqual(['target-waits-step']);
  await fixture.next(operator, plan);
  await fixture.round();
  expect(await why(of)).toMatchObject([
    {
      code: 'air-blast-step-devices',
      facts: { step: 'canary', open: 1, devices: 1 },
      act: { kind: 'open-run' },
    },
  ]);
});
