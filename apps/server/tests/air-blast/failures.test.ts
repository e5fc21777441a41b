import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { approveAirBlast } from '../../src/air-blast/decide-approval.ts';
import { getAirBlast } from '../../src/air-blast/get-air-blast.ts';
import { leaveOutFailed } from '../../src/air-blast/steps/leave-out-failed.ts';
import {
  abortAirBlast,
  pauseAirBlast,
  resumeAirBlast,
} from '../../src/air-blast/operate-air-blast.ts';
import { prepareRollBack } from '../../src/air-blast/steps/prepare-roll-back.ts';
import { stopWaiting } from '../../src/air-blast/steps/stop-waiting.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { origin, seedDevices, viewerWith } from '../support/command-fixture.ts';
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

const devices = (count: number) =>
  seedDevices(
    test.database,
    Array.from({ length: count }, () => ({})),
  );
const withReason = (run: AirBlastDetail, reason = '') => ({ id: run.id, reason, origin });

async function toCanaryDone(run: AirBlastDetail): Promise<AirBlastDetail> {
  await fixture.next(operator, run);
  await fixture.next(operator, run);
  return fixture.settle(run, operator);
}

async function commandRunStates(run: AirBlastDetail): Promise<string[]> {
  const { rows } = await test.database.orm.execute(sql`
    select r.state from air_blast_wave w join command_run r on r.id = w.run_id
    where w.air_blast_id = ${run.id} and w.step = 'blast' order by w.wave`);
  return (rows as unknown as { state: string }[]).map(({ state }) => state);
}

describe('a pause', () => {
  it('pauses the open wave, which resumes with the rollout', async () => {
    const plan = await fixture.plan(operator, await devices(11), {
      options: { wavePercents: [50, 100] },
    });
    await toCanaryDone(plan);
    await fixture.next(operator, plan);
    await pauseAirBlast(fixture.deps, operator, withReason(plan, 'lunch'));
    expect(await commandRunStates(plan)).toEqual(['Paused']);
    await fixture.round();
    expect(await commandRunStates(plan)).toEqual(['Paused']);
    await resumeAirBlast(fixture.deps, operator, withReason(plan));
    expect(await commandRunStates(plan)).toEqual(['Pending']);
    expect(await fixture.settle(plan, operator)).toMatchObject({
      state: 'blasting',
      stepState: 'done',
    });
  });

  it('can be followed by an abort, which cancels the paused wave', async () => {
    const plan = await fixture.plan(operator, await devices(5), {
      options: { wavePercents: [100] },
    });
    await toCanaryDone(plan);
    await fixture.next(operator, plan);
    await pauseAirBlast(fixture.deps, operator, withReason(plan));
    await abortAirBlast(fixture.deps, operator, withReason(plan));
    await fixture.round();
    expect(await commandRunStates(plan)).toEqual(['Cancelled']);
  });
});

describe('an offline device', () => {
  it('does not delay a step: its invocation can be canceled and is not an error', async () => {
    const ids = await devices(6);
    const plan = await fixture.plan(operator, ids, {
      options: { wavePercents: [100], maxErrors: '0' },
    });
    const { waves } = await toCanaryDone(plan);
    expect(waves).toHaveLength(1);
    await fixture.next(operator, plan);
    const { rows } = await test.database.orm.execute(sql`
      select device_id as id from invocation i join air_blast_wave w on w.run_id = i.run_id
      where w.air_blast_id = ${plan.id} and w.step = 'blast' order by i.id limit 1`);
    const [left] = rows as unknown as { id: string }[];
    await test.database.orm.execute(
      sql`update device_status set connectivity = 'offline' where device_id = ${left?.id ?? ''}`,
    );
    expect(await getAirBlast(fixture.deps, operator, plan.id)).toMatchObject({ away: 1 });
    expect(await stopWaiting(fixture.deps, operator, withReason(plan))).toMatchObject({ away: 0 });
    const blasted = await fixture.settle(plan, operator);
    expect(blasted).toMatchObject({ state: 'blasting', stepState: 'done', gate: { value: 0 } });
    expect(blasted.waves.at(-1)?.counters).toMatchObject({ success: 4, cancelled: 1 });
  });
});

describe('a failed step', () => {
  it('can be continued without a few failed devices, which receive nothing further', async () => {
    const ids = await devices(40);
    const plan = await fixture.plan(operator, ids, { options: { canaryPercent: 10 } });
    await fixture.next(operator, plan);
    const { waves } = await fixture.next(operator, plan);
    expect(waves).toMatchObject([{ devices: 4 }]);
    let failing = 0;
    const failed = await fixture.settle(plan, operator, () => {
      failing += 1;
      return failing === 1 ? 'Failed' : 'Success';
    });
    expect(failed).toMatchObject({ state: 'failed', step: 'canary', may: { leaveOut: true } });
    const without = await leaveOutFailed(fixture.deps, operator, withReason(plan));
    expect(without).toMatchObject({
      state: 'canary',
      targetCount: 39,
      noGo: [{ reason: 'left-out', count: 1 }],
      nextStep: { step: 'blast' },
    });
    expect(without.targetSha256).not.toBe(plan.targetSha256);
    await fixture.next(operator, plan);
    await fixture.settle(plan, operator);
    await fixture.next(operator, plan);
    expect(await fixture.settle(plan, operator)).toMatchObject({
      state: 'done',
      report: { asIntended: 39, leftOut: 1 },
    });
    const { rows } = await test.database.orm.execute(sql`
      select max(count)::int as most from (select count(*) from invocation
        where device_id = any(${sql.param(ids)}::uuid[]) group by device_id) n`);
    expect(rows).toEqual([{ most: 1 }]);
  });

  it('cannot be continued if most of its devices failed', async () => {
    const plan = await fixture.plan(operator, await devices(4));
    await fixture.next(operator, plan);
    await fixture.next(operator, plan);
    expect(await fixture.settle(plan, operator, () => 'Failed')).toMatchObject({
      may: { leaveOut: false, retry: true },
    });
    await expect(leaveOutFailed(fixture.deps, operator, withReason(plan))).rejects.toMatchObject({
      code: 2004,
      facts: { reason: 'too-many-failed' },
    });
  });

  it('of an approved rollout stage leaves a new target set, which is approved and rolled out again', async () => {
    const plan = await fixture.plan(operator, await devices(110), {
      options: { wavePercents: [50, 50], maxErrors: '1', maxConcurrency: '100%' },
    });
    await toCanaryDone(plan);
    const approver = viewerWith('Administrator');
    const approve = (run: AirBlastDetail) =>
      approveAirBlast(fixture.deps, approver, {
        id: run.id,
        planSha256: run.planSha256,
        comment: '',
        origin,
      });
    await approve(plan);
    await fixture.next(operator, plan);
    let answered = 0;
    const failed = await fixture.settle(plan, operator, () => {
      answered += 1;
      // The last of the 52 devices of the first wave: the others have succeeded.
      return answered <= 49 ? 'Success' : 'Failed';
    });
    expect(failed).toMatchObject({ state: 'failed', step: 'blast', may: { leaveOut: true } });
    const left = await leaveOutFailed(fixture.deps, operator, withReason(plan));
    expect(left).toMatchObject({
      state: 'approval',
      targetCount: 107,
      approvals: [{ valid: false }],
      nextStep: null,
    });
    await approve(left);
    await fixture.next(operator, plan);
    const again = await fixture.settle(plan, operator);
    expect(again).toMatchObject({ state: 'blasting', stepState: 'done' });
    const second = again.waves.filter(({ step, attempt }) => step === 'blast' && attempt === 2);
    expect(second.reduce((sum, wave) => sum + wave.devices, 0)).toBe(52);
    await fixture.next(operator, plan);
    expect(await fixture.settle(plan, operator)).toMatchObject({
      state: 'done',
      report: { asIntended: 107, leftOut: 3 },
    });
  });
});

describe('a roll back', () => {
  it('starts from the devices on the current version, by their earlier version', async () => {
    const ids = await devices(3);
    const report = (deviceId: string, version: string) =>
      test.database.orm.execute(sql`
        insert into device_version (device_id, component, version, since, reported_at)
        values (${deviceId}, 'player', ${version}, now(), now())
        on conflict (device_id, component) do update set version = excluded.version`);
    const ranBefore = (deviceId: string, version: string) =>
      test.database.orm.execute(sql`
        insert into device_version_history (device_id, component, version, at)
        values (${deviceId}, 'player', ${version}, now() - interval '1 day')`);
    const [first = '', second = '', third = ''] = ids;
    await ranBefore(first, '1.0.0');
    await ranBefore(second, '1.0.0');
    await ranBefore(third, '1.1.0');
    await report(first, '1.0.0');
    const plan = await fixture.plan(operator, ids, {
      change: { kind: 'version', component: 'player', version: '2.0.0', source: '', sha256: '' },
    });
    await expect(prepareRollBack(fixture.deps, operator, plan.id)).rejects.toMatchObject({
      code: 2004,
    });
    await toCanaryDone(plan);
    await fixture.next(operator, plan);
    await fixture.settle(plan, operator);
    for (const id of ids) await report(id, '2.0.0');
    expect(await prepareRollBack(fixture.deps, operator, plan.id)).toMatchObject([
      { version: '1.0.0', devices: 2 },
      { version: '1.1.0', devices: 1 },
    ]);
  });
});
