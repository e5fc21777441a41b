import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { assumeOperatorRole } from '../../src/air-blast/change-operator.ts';
import { approveAirBlast } from '../../src/air-blast/decide-approval.ts';
import { getAirBlast } from '../../src/air-blast/get-air-blast.ts';
import {
  abortAirBlast,
  pauseAirBlast,
  resumeAirBlast,
  retryAirBlast,
} from '../../src/air-blast/operate-air-blast.ts';
import { editAirBlast } from '../../src/air-blast/plan/plan-air-blast.ts';
import { startStep } from '../../src/air-blast/steps/start-step.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { origin, seedDevices, viewerWith, type SeededDevice } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
const operator = viewerWith('Operator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const devices = (count: number, like: SeededDevice = {}) =>
  seedDevices(
    test.database,
    Array.from({ length: count }, () => like),
  );
const get = (run: AirBlastDetail, viewer = operator) => getAirBlast(fixture.deps, viewer, run.id);
const withReason = (run: AirBlastDetail, reason = '') => ({ id: run.id, reason, origin });

async function one<Value>(statement: ReturnType<typeof sql>): Promise<Value> {
  const { rows } = await test.database.orm.execute(statement);
  return rows[0] as Value;
}

/** Runs the rollout until the canary stage is done. */
async function toCanaryDone(run: AirBlastDetail): Promise<AirBlastDetail> {
  await fixture.next(operator, run);
  await fixture.next(operator, run);
  return fixture.settle(run, operator);
}

describe('the five steps', () => {
  it('lead from a frozen target set to a verified result', async () => {
    const ids = await devices(20);
    const plan = await fixture.plan(operator, ids, { options: { wavePercents: [10, 100] } });
    expect(plan).toMatchObject({
      state: 'planned',
      targetCount: 20,
      needsApproval: false,
      radius: { devices: 20, people: 0, countries: [{ country: 'DE', count: 20 }] },
      nextStep: { step: 'preflight' },
    });
    const checked = await fixture.next(operator, plan);
    expect(checked).toMatchObject({
      state: 'preflight',
      stepState: 'done',
      nextStep: { step: 'canary', devices: 1 },
    });
    const canaries = await fixture.next(operator, plan);
    expect(canaries).toMatchObject({ state: 'canary', stepState: 'running', nextStep: null });
    expect(canaries.waves).toMatchObject([{ step: 'canary', devices: 1 }]);
    expect(await fixture.settle(plan, operator)).toMatchObject({
      state: 'canary',
      stepState: 'done',
      nextStep: { step: 'blast', devices: 19 },
    });
    await fixture.next(operator, plan);
    const blasted = await fixture.settle(plan, operator);
    expect(blasted).toMatchObject({ state: 'blasting', stepState: 'done' });
    expect(blasted.waves.map(({ step, devices: many }) => [step, many])).toEqual([
      ['canary', 1],
      ['blast', 2],
      ['blast', 17],
    ]);
    await fixture.next(operator, plan);
    const done = await get(plan);
    expect(done).toMatchObject({
      state: 'done',
      report: { asIntended: 20, different: 0, notVerified: 0, failed: 0, notChanged: 0 },
    });
    expect(done.endedAt).not.toBeNull();
    const { types } = await one<{ types: string[] }>(sql`
      select array_agg(type order by id) as types from audit_event
      where data->>'airBlastId' = ${plan.id} and type <> 'air-blast.role-assumed'`);
    expect(types).toEqual([
      'air-blast.planned',
      ...['preflight', 'canary', 'blast', 'verify'].flatMap((step) => [
        'air-blast.step-started',
        ...(step === 'canary' ? ['air-blast.wave-opened'] : []),
        ...(step === 'blast' ? ['air-blast.wave-opened', 'air-blast.wave-opened'] : []),
        'air-blast.step-finished',
      ]),
    ]);
  });

  it('preflight blocks devices with reasons', async () => {
    const [good = ''] = await devices(1);
    const [away = ''] = await devices(1, { connectivity: 'offline' });
    const [abroad = ''] = await devices(1, { country: 'BR' });
    const [full = ''] = await devices(1);
    await test.database.orm.execute(
      sql`update device_status set disk_used_percent = 97 where device_id = ${full}`,
    );
    const [retired = ''] = await devices(1, { lifecycle: 'retired' });
    const plan = await fixture.plan(operator, [good, away, abroad, full, retired]);
    expect(plan).toMatchObject({ targetCount: 4, excluded: [{ reason: 'retired', count: 1 }] });
    const checked = await fixture.next(operator, plan);
    expect(Object.fromEntries(checked.noGo.map(({ reason, count }) => [reason, count]))).toEqual({
      offline: 1,
      country: 1,
      'disk-full': 1,
    });
    expect(checked.report).toMatchObject({ excluded: 1, noGo: 3 });
  });

  it('a preflight that no device passes is 8002 and can be retried', async () => {
    const [away = ''] = await devices(1, { connectivity: 'offline' });
    const plan = await fixture.plan(operator, [away]);
    await expect(fixture.next(operator, plan)).rejects.toMatchObject({
      code: 8002,
      facts: { step: 'preflight', failed: 1, total: 1 },
    });
    expect(await get(plan)).toMatchObject({ state: 'failed', may: { retry: true } });
    await test.database.orm.execute(
      sql`update device_status set connectivity = 'online' where device_id = ${away}`,
    );
    expect(await retryAirBlast(fixture.deps, operator, withReason(plan))).toMatchObject({
      state: 'preflight',
      stepState: 'done',
      nextStep: { step: 'canary' },
    });
  });

  it('failing canaries stop the rollout before other devices receive the change', async () => {
    const plan = await fixture.plan(operator, await devices(10));
    await fixture.next(operator, plan);
    await fixture.next(operator, plan);
    const failed = await fixture.settle(plan, operator, () => 'Failed');
    expect(failed).toMatchObject({
      state: 'failed',
      step: 'canary',
      stateReason: 'too-few-succeeded',
    });
    const { sent } = await one<{ sent: number }>(sql`
      select count(*)::int as sent from air_blast_target where air_blast_id = ${plan.id} and run_id is not null`);
    expect(sent).toBe(1);
    await retryAirBlast(fixture.deps, operator, withReason(plan));
    expect(await fixture.settle(plan, operator)).toMatchObject({
      state: 'canary',
      stepState: 'done',
    });
  });

  it('after a wave with too many errors no other opens, and a retry covers failed and remaining devices', async () => {
    const ids = await devices(21);
    const plan = await fixture.plan(operator, ids, {
      options: { maxErrors: '1', wavePercents: [20, 100], maxConcurrency: '100%' },
    });
    await toCanaryDone(plan);
    await fixture.next(operator, plan);
    const failed = await fixture.settle(plan, operator, () => 'Failed');
    expect(failed).toMatchObject({
      state: 'failed',
      step: 'blast',
      stateReason: 'too-many-errors',
    });
    expect(failed.waves.filter(({ openedAt }) => openedAt !== null)).toHaveLength(2);
    await expect(fixture.next(operator, plan)).rejects.toThrow('no step to start');
    await retryAirBlast(fixture.deps, operator, withReason(plan));
    const again = await fixture.settle(plan, operator);
    expect(again).toMatchObject({ state: 'blasting', stepState: 'done' });
    const second = again.waves.filter(({ attempt }) => attempt === 2);
    expect(second.map(({ devices: many }) => many)).toEqual([4, 3, 12]);
  });
});

describe('an active rollout', () => {
  it('opens no wave while it is paused, and resumes where it was paused', async () => {
    const plan = await fixture.plan(operator, await devices(11), {
      options: { wavePercents: [50, 100] },
    });
    await toCanaryDone(plan);
    await fixture.next(operator, plan);
    await pauseAirBlast(fixture.deps, operator, withReason(plan, 'lunch'));
    const paused = await fixture.settle(plan, operator);
    expect(paused).toMatchObject({ state: 'paused', stateReason: 'lunch', stepState: 'running' });
    expect(paused.waves.filter(({ openedAt }) => openedAt !== null)).toHaveLength(2);
    await resumeAirBlast(fixture.deps, operator, withReason(plan));
    expect(await fixture.settle(plan, operator)).toMatchObject({
      state: 'blasting',
      stepState: 'done',
    });
  });

  it('can be aborted: queued invocations are canceled, and nothing further is sent', async () => {
    const plan = await fixture.plan(operator, await devices(11));
    await toCanaryDone(plan);
    await fixture.next(operator, plan);
    const aborted = await abortAirBlast(fixture.deps, operator, withReason(plan, 'wrong file'));
    expect(aborted).toMatchObject({ state: 'aborted', stateReason: 'wrong file' });
    await fixture.round();
    const { open } = await one<{ open: number }>(sql`
      select count(*)::int as open from invocation i join air_blast_target t on t.run_id = i.run_id
      where t.air_blast_id = ${plan.id} and i.ended_at is null`);
    expect(open).toBe(0);
    await expect(fixture.next(operator, plan)).rejects.toThrow('no step to start');
  });

  it('counts changed and failed devices before verification, also after an abort', async () => {
    const plan = await fixture.plan(operator, await devices(20), { options: { maxErrors: '5' } });
    const untouched = { asIntended: 0, different: 0, notVerified: 0, failed: 0, notChanged: 20 };
    expect(plan.report).toMatchObject(untouched);
    expect((await toCanaryDone(plan)).report).toMatchObject({ notVerified: 1, notChanged: 19 });
    await fixture.next(operator, plan);
    let failures = 2;
    await fixture.settle(plan, operator, () => (failures-- > 0 ? 'Failed' : 'Success'));
    const aborted = await abortAirBlast(fixture.deps, operator, withReason(plan));
    expect(aborted.report).toMatchObject({
      ...untouched,
      notVerified: 18,
      failed: 2,
      notChanged: 0,
    });
  });

  it('continues after the role has ended', async () => {
    const plan = await fixture.plan(operator, await devices(11), {
      options: { wavePercents: [50, 100] },
    });
    await toCanaryDone(plan);
    await fixture.next(operator, plan);
    fixture.setNow(new Date(Date.now() + 901_000));
    try {
      await expect(pauseAirBlast(fixture.deps, operator, withReason(plan))).rejects.toMatchObject({
        code: 1000,
        reason: 'rollout-role-ended',
      });
      expect(await fixture.settle(plan, operator)).toMatchObject({
        state: 'blasting',
        stepState: 'done',
      });
    } finally {
      fixture.setNow(null);
    }
  });

  it('sends each wave once, at whatever point a server stops and with several servers', async () => {
    const plan = await fixture.plan(operator, await devices(11), {
      options: { wavePercents: [50, 100] },
    });
    await toCanaryDone(plan);
    await fixture.next(operator, plan);
    // As if the server had stopped between the creation of the command run and the storage of its ID.
    await test.database.orm.execute(
      sql`update air_blast_wave set run_id = null where air_blast_id = ${plan.id} and step = 'blast'`,
    );
    await Promise.all([fixture.round(), fixture.round(), fixture.round()]);
    await fixture.settle(plan, operator);
    const { most } = await one<{ most: number }>(sql`
      select max(count)::int as most from (
        select count(*) from invocation where device_id in
          (select device_id from air_blast_target where air_blast_id = ${plan.id}) group by device_id) per_device`);
    expect(most).toBe(1);
  });
});

describe('a change of many devices', () => {
  it('waits after its canary stage for the approval of this target set by a second person', async () => {
    const ids = await devices(100);
    const plan = await fixture.plan(operator, ids);
    expect(plan.needsApproval).toBe(true);
    expect(await toCanaryDone(plan)).toMatchObject({ state: 'approval', nextStep: null });
    const approver = viewerWith('Administrator');
    const decision = { id: plan.id, planSha256: plan.planSha256, comment: 'read', origin };
    const own = { ...approver, userId: operator.userId };
    await expect(approveAirBlast(fixture.deps, own, decision)).rejects.toMatchObject({
      code: 1000,
      reason: 'rollout-needs-second-person',
    });
    const narrow = viewerWith('Administrator', { countries: ['DE'], models: ['M2'], labels: {} });
    await expect(approveAirBlast(fixture.deps, narrow, decision)).rejects.toMatchObject({
      code: 2003,
    });
    await expect(
      approveAirBlast(fixture.deps, approver, { ...decision, planSha256: 'f'.repeat(64) }),
    ).rejects.toMatchObject({ code: 2004 });
    const approved = await approveAirBlast(fixture.deps, approver, decision);
    expect(approved.approvals).toMatchObject([
      { decision: 'approved', valid: true, comment: 'read' },
    ]);
    expect(await get(plan)).toMatchObject({ state: 'canary', nextStep: { step: 'blast' } });
    // A new plan voids the approval, and all steps start again.
    const edited = await editAirBlast(fixture.deps, operator, {
      id: plan.id,
      revision: 1,
      name: plan.name,
      reason: '',
      change: { kind: 'document', document: 'DevicePortal-storage-clean', parameters: {} },
      target: { kind: 'devices', deviceIds: [...ids, ...(await devices(1))] },
      options: plan.options,
      origin,
    });
    expect(edited).toMatchObject({ state: 'planned', revision: 2, approvals: [{ valid: false }] });
    expect(edited.targetSha256).not.toBe(plan.targetSha256);
    // Canaries have been changed, so the new plan is approved before its canary stage.
    expect(edited.approvalFirst).toBe(true);
    expect(await fixture.next(operator, plan)).toMatchObject({ state: 'approval', nextStep: null });
  });
});

describe('a version', () => {
  it('is verified by the versions that devices report, and devices that already have it are excluded', async () => {
    const ids = await devices(4);
    const report = (deviceId: string, version: string) =>
      test.database.orm.execute(sql`
        insert into device_version (device_id, component, version, since, reported_at)
        values (${deviceId}, 'player', ${version}, now(), now())
        on conflict (device_id, component) do update set version = excluded.version`);
    await report(ids[0] ?? '', '2.0.0');
    const plan = await fixture.plan(operator, ids, {
      change: { kind: 'version', component: 'player', version: '2.0.0', source: '', sha256: '' },
      options: { successPercent: 100 },
    });
    expect(plan).toMatchObject({
      targetCount: 3,
      excluded: [{ reason: 'already-installed', count: 1 }],
    });
    await toCanaryDone(plan);
    await fixture.next(operator, plan);
    await fixture.settle(plan, operator);
    await fixture.next(operator, plan);
    await report(ids[1] ?? '', '2.0.0');
    expect(await fixture.settle(plan, operator)).toMatchObject({
      state: 'verifying',
      stepState: 'running',
    });
    fixture.setNow(new Date(Date.now() + 301_000));
    try {
      await fixture.round();
      expect(await get(plan)).toMatchObject({
        state: 'failed',
        report: { asIntended: 1, different: 2 },
      });
      await assumeOperatorRole(fixture.deps, operator, { id: plan.id, origin });
      await retryAirBlast(fixture.deps, operator, withReason(plan));
      await report(ids[2] ?? '', '2.0.0');
      await report(ids[3] ?? '', '2.0.0');
      expect(await fixture.settle(plan, operator)).toMatchObject({
        state: 'done',
        report: { asIntended: 3 },
      });
    } finally {
      fixture.setNow(null);
    }
  });
});

describe('a repeated request', () => {
  it('with the same key returns the same rollout', async () => {
    const ids = await devices(1);
    const idempotencyKey = randomUUID();
    const [first, second] = await Promise.all([
      fixture.plan(operator, ids, { idempotencyKey }),
      fixture.plan(operator, ids, { idempotencyKey }),
    ]);
    expect(second?.id).toBe(first?.id);
  });

  it('starts a step once, and later requests are told that it is done', async () => {
    const plan = await fixture.plan(operator, await devices(3));
    const { nextStep } = await assumeOperatorRole(fixture.deps, operator, { id: plan.id, origin });
    const start = () =>
      startStep(fixture.deps, operator, {
        id: plan.id,
        step: 'preflight',
        token: nextStep?.token ?? '',
        confirmation: '',
        origin,
      });
    const results = await Promise.allSettled([start(), start(), start()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([
      expect.objectContaining({ reason: expect.objectContaining({ code: 8001 }) }),
      expect.objectContaining({ reason: expect.objectContaining({ code: 8001 }) }),
    ]);
  });
});
