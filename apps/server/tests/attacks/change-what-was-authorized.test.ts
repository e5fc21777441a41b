import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { newId } from '@deviceportal/contract/ids';
import type { Schedule } from '@deviceportal/contract/schedules';
import { getAirBlast } from '../../src/air-blast/get-air-blast.ts';
import { effectSha256 } from '../../src/commands/effect/effect-sha256.ts';
import type { PlannedEffect } from '../../src/commands/effect/planned-effect.ts';
import { createSchedule } from '../../src/commands/schedules/create-schedule.ts';
import { fireSchedules } from '../../src/commands/schedules/fire-schedules.ts';
import { getSchedule } from '../../src/commands/schedules/list-schedules.ts';
import { showScheduleToSign } from '../../src/commands/schedules/show-schedule-to-sign.ts';
import { resumeSchedule } from '../../src/commands/schedules/resume-schedule.ts';
import { type AirBlastFixture } from '../support/air-blast/air-blast-fixture.ts';
import {
  may,
  origin,
  runInput,
  shownDevices,
  viewerHolding,
  viewerWith,
} from '../support/command-fixture.ts';
import {
  DOCUMENT,
  openTamperingFixture,
  type TamperingFixture,
} from '../support/tampering-fixture.ts';

let attacked: TamperingFixture;
let fixture: AirBlastFixture;
beforeAll(async () => {
  attacked = await openTamperingFixture();
  ({ fixture } = attacked);
});
afterAll(() => attacked[Symbol.asyncDispose]());

const noon = new Date('2026-11-20T12:00:00Z');
const minutes = (count: number) => new Date(noon.getTime() + count * 60_000);

describe('a person with write access to the database cannot run code by a schedule', () => {
  const times = { kind: 'cron', cron: '0 * * * *', timeZone: 'UTC' } as const;

  async function schedule(): Promise<Schedule> {
    fixture.setNow(noon);
    const deviceIds = await attacked.devices(2);
    const { idempotencyKey: _key, ...run } = runInput({
      command: 'document',
      document: DOCUMENT,
      parameters: { channel: '11', key: 'secret' },
      confirmation: '',
    });
    return createSchedule(fixture.deps, attacked.operator, {
      ...run,
      confirmation: '',
      target: { kind: 'devices', deviceIds },
      agreement: shownDevices(deviceIds),
      id: newId(),
      name: 'hourly',
      times,
      missed: 'skip',
      freeze: false,
    });
  }
  async function fireAt(moment: Date): Promise<void> {
    fixture.setNow(moment);
    await fireSchedules({ ...fixture.deps, findCreator: async () => attacked.operator });
  }

  async function signAsShown(id: string): Promise<Schedule> {
    const { operator } = attacked;
    const { sha256 } = await showScheduleToSign(fixture.deps, operator, { id, origin });
    return resumeSchedule(fixture.deps, operator, { id, sign: true, shownSha256: sha256, origin });
  }

  it('and an unmodified schedule runs', async () => {
    const one = await schedule();
    const before = await attacked.countRuns();
    await fireAt(minutes(60));
    expect(await attacked.countRuns()).toBe(before + 1);
    await attacked.write(sql`delete from run_schedule where id = ${one.id}`);
  });

  it.each<[string, string, () => SQL]>([
    ['other parameters', 'parameters', () => sql`parameters = parameters || '{"channel":"EVIL"}'`],
    [
      'a secret parameter in the clear',
      'parameters',
      () => sql`parameters = '{"channel":"11","key":"EVIL"}'`,
    ],
    [
      'a sealed parameter that was changed',
      'parameters',
      () => sql`parameters = jsonb_set(parameters, '{$sealed,key}', '"AAAA"')`,
    ],
    [
      'another document',
      'document',
      () => sql`document_name = 'DevicePortal-network-diagnose', parameters = '{}'`,
    ],
    [
      'other devices',
      'target',
      () => sql`target = jsonb_set(target, '{deviceIds}', (select jsonb_agg(id) from device))`,
    ],
    ['all devices at once', 'maxConcurrency', () => sql`max_concurrency = '100%'`],
    ['more devices than were agreed', 'maxDevices', () => sql`max_devices = 1000000`],
    ['any number of errors', 'maxErrors', () => sql`max_errors = '100%'`],
    ['the rights of another person', 'createdBy', () => sql`created_by_subject = 'administrator'`],
    ['other times', 'times', () => sql`times = jsonb_set(times, '{cron}', '"* * * * *"')`],
  ])('with %s', async (_what, part, change) => {
    const { id } = await schedule();
    await attacked.write(sql`update run_schedule set ${change()} where id = ${id}`);
    const before = await attacked.countRuns();
    await fireAt(minutes(60));
    expect(await attacked.countRuns()).toBe(before);
    expect(await getSchedule(fixture.deps, attacked.operator, id)).toMatchObject({
      state: 'paused',
      lastError: 'authorization-mismatch',
    });
    await attacked.expectReported(id, {
      kind: 'schedule',
      fault: 'changed',
      changed: expect.arrayContaining([part]),
    });
    await expect(
      resumeSchedule(fixture.deps, attacked.operator, { id, origin }),
    ).rejects.toMatchObject({
      facts: { reason: 'authorization-mismatch' },
    });
  });

  it('by another text of its document', async () => {
    const { id } = await schedule();
    const before = await attacked.countRuns();
    await attacked.whileDocumentIsChanged('parsed', () => fireAt(minutes(60)));
    expect(await attacked.countRuns()).toBe(before);
    await attacked.expectReported(id, { changed: ['document'] });
  });

  it('at a time that is not in its plan', async () => {
    const { id } = await schedule();
    await attacked.write(
      sql`update run_schedule set next_at = ${minutes(7).toISOString()} where id = ${id}`,
    );
    const before = await attacked.countRuns();
    await fireAt(minutes(7));
    expect(await attacked.countRuns()).toBe(before);
    await attacked.expectReported(id, { changed: ['nextAt'] });
  });

  it('by a schedule that was never created, or with the signature of another', async () => {
    const { id } = await schedule();
    const [unsigned, copied] = [newId(), newId()];
    for (const made of [unsigned, copied]) {
      await attacked.write(sql`
        insert into run_schedule select (jsonb_populate_record(s, ${JSON.stringify({ id: made })}::jsonb)).*
        from run_schedule s where id = ${id}`);
      await attacked.write(sql`
        update run_schedule set created_by_id = ${randomUUID()}, parameters = '{"channel":"EVIL"}' where id = ${made}`);
    }
    await attacked.write(
      sql`update run_schedule set signed_authorization = null where id = ${unsigned}`,
    );
    await attacked.write(sql`delete from run_schedule where id = ${id}`);
    const before = await attacked.countRuns();
    await fireAt(minutes(60));
    expect(await attacked.countRuns()).toBe(before);
    await attacked.expectReported(unsigned, { fault: 'unsigned' });
    await attacked.expectReported(copied, { fault: 'changed' });
  });

  it('by one without a signature, until a user with the permission signs it unchanged', async () => {
    const { id } = await schedule();
    await attacked.write(sql`update run_schedule set signed_authorization = null where id = ${id}`);
    const before = await attacked.countRuns();
    await fireAt(minutes(60));
    expect(await getSchedule(fixture.deps, attacked.operator, id)).toMatchObject({
      ...{ state: 'paused', lastError: 'authorization-missing', signed: false },
    });
    await attacked.expectReported(id, { fault: 'unsigned' });
    await expect(
      resumeSchedule(fixture.deps, attacked.operator, { id, origin }),
    ).rejects.toMatchObject({ code: 2004, facts: { reason: 'authorization-missing' } });
    const manager = viewerHolding([may(['access:manage', 'commands:read', 'devices:read'])]);
    await expect(
      resumeSchedule(fixture.deps, manager, { id, sign: true, origin }),
    ).rejects.toMatchObject({ code: 1000 });
    await expect(showScheduleToSign(fixture.deps, manager, { id, origin })).rejects.toMatchObject({
      code: 1000,
    });
    const resumed = await signAsShown(id);
    expect(resumed).toMatchObject({ state: 'active', signed: true, lastError: null });
    await fireAt(minutes(120));
    expect(await attacked.countRuns()).toBe(before + 1);
  });

  it('by one whose key was withdrawn, until a user signs it with the current key', async () => {
    const { id } = await schedule();
    await attacked.write(sql`
      update run_schedule set signed_authorization = jsonb_set(signed_authorization, '{signatures,0,keyId}', '"withdrawn"')
      where id = ${id}`);
    const before = await attacked.countRuns();
    await fireAt(minutes(60));
    expect(await attacked.countRuns()).toBe(before);
    await attacked.expectReported(id, { fault: 'unknown-key' });
    await signAsShown(id);
    await fireAt(minutes(120));
    expect(await attacked.countRuns()).toBe(before + 1);
  });

  it('by a limit other than the signed one, first or last', async () => {
    const { id } = await schedule();
    const { id: changed } = await schedule();
    await attacked.write(
      sql`update run_schedule set state = 'paused', next_at = null where id in (${id}, ${changed})`,
    );
    await attacked.write(
      sql`update run_schedule set max_concurrency = '100%' where id = ${changed}`,
    );
    await expect(
      resumeSchedule(fixture.deps, attacked.operator, { id: changed, maxDevices: 9, origin }),
    ).rejects.toMatchObject({ facts: { reason: 'authorization-mismatch' } });
    await attacked.expectReported(changed, { changed: ['maxConcurrency'] });
    const other = viewerWith('Administrator');
    await resumeSchedule(fixture.deps, other, { id, maxDevices: 9, origin });
    const { rows } = await attacked.write(sql`
      select (signed_authorization ->> 'payload')::jsonb as signed from run_schedule where id = ${id}`);
    expect(rows).toMatchObject([
      { signed: { facts: { maxDevices: 9 }, authorizedBy: { id: other.userId } } },
    ]);
    const before = await attacked.countRuns();
    await fireAt(minutes(60));
    expect(await attacked.countRuns()).toBe(before + 1);
    await attacked.write(sql`update run_schedule set max_devices = 10 where id = ${id}`);
    await fireAt(minutes(120));
    expect(await attacked.countRuns()).toBe(before + 1);
    await attacked.expectReported(id, { changed: ['maxDevices'] });
  });

  it('by a destructive one that was not signed for confirmed devices', async () => {
    const { id } = await schedule();
    await attacked.write(sql`
      update run_schedule set signed_authorization = null, parameters = '{}', document_version = 1,
        document_name = 'DevicePortal-factory-reset' where id = ${id}`);
    await expect(
      resumeSchedule(fixture.deps, attacked.operator, { id, sign: true, origin }),
    ).rejects.toMatchObject({ code: 2004, issues: [{ path: ['sign'] }] });
  });

  it('and a modified schedule delays no other', async () => {
    const [changed, other] = [await schedule(), await schedule()];
    await attacked.write(
      sql`update run_schedule set times = '{"kind":"nonsense"}' where id = ${changed.id}`,
    );
    const before = await attacked.countRuns();
    await fireAt(minutes(60));
    expect(await attacked.countRuns()).toBe(before + 1);
    expect(await getSchedule(fixture.deps, attacked.operator, other.id)).toMatchObject({
      lastError: null,
    });
  });
});

describe('a person with write access to the database cannot run code by a rollout', () => {
  const shell = {
    kind: 'document' as const,
    document: 'DevicePortal-shell',
    parameters: { script: 'v2' },
  };

  /** Canaries are due: the plan is checked, nothing has been sent. */
  async function planned(options = {}): Promise<AirBlastDetail> {
    fixture.setNow(null);
    const plan = await fixture.plan(attacked.operator, await attacked.devices(10), {
      change: shell,
      options,
    });
    return fixture.next(attacked.operator, plan);
  }
  /** The canaries have succeeded; the rollout stage is due. */
  async function canariesDone(): Promise<AirBlastDetail> {
    const plan = await planned();
    await fixture.next(attacked.operator, plan);
    return fixture.settle(plan, attacked.operator);
  }
  async function refused(run: AirBlastDetail, mismatch: object): Promise<void> {
    const before = await attacked.countRuns();
    await fixture.settle(run, attacked.operator);
    expect(await getAirBlast(fixture.deps, attacked.operator, run.id)).toMatchObject({
      state: 'failed',
      stateReason: 'plan-changed',
    });
    expect(await attacked.countRuns()).toBe(before);
    await attacked.expectReported(run.id, { kind: 'rollout', ...mismatch });
  }
  /** The first wave is in progress, further waves are waiting. */
  async function blasting(): Promise<AirBlastDetail> {
    const run = await canariesDone();
    return fixture.next(attacked.operator, run);
  }

  it('by a plan that was changed completely, including its hash', async () => {
    const run = await planned();
    const { rows } = await attacked.write(sql`select effect from air_blast where id = ${run.id}`);
    const { effect } = rows[0] as { effect: PlannedEffect };
    const evil = { ...effect, parameters: { ...effect.parameters, script: 'EVIL' } };
    await attacked.write(sql`
      update air_blast set parameters = '{"script":"EVIL"}', effect = ${JSON.stringify(evil)}::jsonb,
        plan_sha256 = ${effectSha256(evil)} where id = ${run.id}`);
    const before = await attacked.countRuns();
    await fixture.next(attacked.operator, run).catch(() => {});
    expect(await attacked.countRuns()).toBe(before);
    await refused(run, { fault: 'changed', changed: ['planSha256'] });
  });

  it('without the required approval', async () => {
    fixture.setNow(null);
    const plan = await fixture.plan(attacked.operator, await attacked.devices(2), {
      change: { ...shell, document: 'DevicePortal-factory-reset', parameters: {} },
    });
    await fixture.next(attacked.operator, plan);
    await attacked.write(sql`
      update air_blast set needs_approval = false, approval_first = false, state = 'preflight', token_issued_at = now()
      where id = ${plan.id}`);
    const before = await attacked.countRuns();
    await fixture.next(attacked.operator, plan, '1').catch(() => {});
    expect(await attacked.countRuns()).toBe(before);
    await refused(plan, { changed: expect.arrayContaining(['needsApproval']) });
  });

  it.each<[string, string, (id: string) => SQL]>([
    [
      'all devices in the next wave',
      'waves',
      (id) => sql`
        update air_blast_wave set device_ids = (select array_agg(device_id) from air_blast_target where air_blast_id = ${id})
        where air_blast_id = ${id} and step = 'blast' and wave = 2`,
    ],
    [
      'the permissions of another user',
      'startedAs',
      (id) => sql`
        update air_blast_step set started_as = jsonb_set(started_as, '{userId}', to_jsonb(${randomUUID()}::text))
        where air_blast_id = ${id} and step = 'blast'`,
    ],
    [
      'a wave that was sent before, once more',
      'waves',
      (id) =>
        sql`update air_blast_wave set run_key = gen_random_uuid() where air_blast_id = ${id} and step = 'blast' and wave > 1`,
    ],
    [
      'a verification instead of the change',
      'waves',
      (id) =>
        sql`update air_blast_wave set kind = 'verify' where air_blast_id = ${id} and step = 'blast' and wave = 2`,
    ],
  ])('with %s', async (_what, part, change) => {
    const run = await blasting();
    await attacked.write(change(run.id));
    await refused(run, { fault: 'changed', changed: [part] });
  });

  it('by allowing more errors than planned, or all waves at once', async () => {
    const run = await blasting();
    await attacked.write(sql`
      update air_blast_wave set ended_at = now() where air_blast_id = ${run.id} and step = 'blast' and wave = 1`);
    await attacked.write(sql`
      update air_blast_wave set opened_at = now(), max_errors = '100%'
      where air_blast_id = ${run.id} and step = 'blast' and wave = 2`);
    await refused(run, { changed: ['maxErrors'] });
    const other = await blasting();
    await attacked.write(sql`
      update air_blast_wave set opened_at = now(), max_errors = '0' where air_blast_id = ${other.id} and step = 'blast'`);
    await refused(other, { changed: ['openedAt'] });
  });

  it('in a step that was never started', async () => {
    const run = await canariesDone();
    const [target] = (
      await attacked.write(
        sql`select device_id from air_blast_target where air_blast_id = ${run.id} limit 1`,
      )
    ).rows as { device_id: string }[];
    await attacked.write(
      sql`update air_blast set step = 'blast', step_state = 'running', state = 'blasting', attempt = 1 where id = ${run.id}`,
    );
    await attacked.write(sql`
      insert into air_blast_step (air_blast_id, revision, step, attempt, state, operator_id, operator, started_as, started_at, evidence)
      values (${run.id}, 1, 'blast', 1, 'running', ${attacked.operator.userId}, ${attacked.operator.username},
        ${JSON.stringify(attacked.operator)}::jsonb, now(), '{}')`);
    await attacked.write(sql`
      insert into air_blast_wave (air_blast_id, revision, step, attempt, wave, device_ids, run_key)
      values (${run.id}, 1, 'blast', 1, 1, array[${target?.device_id}]::uuid[], gen_random_uuid())`);
    await refused(run, { fault: 'unsigned' });
  });
});
