import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import type { Schedule, ScheduleTimes } from '@deviceportal/contract/schedules';
import { deleteSchedule, pauseSchedule } from '../../src/commands/schedules/change-schedule.ts';
import {
  createSchedule,
  type CreateSchedule,
} from '../../src/commands/schedules/create-schedule.ts';
import { fireSchedules } from '../../src/commands/schedules/fire-schedules.ts';
import { resumeSchedule } from '../../src/commands/schedules/resume-schedule.ts';
import { getSchedule, listSchedules } from '../../src/commands/schedules/list-schedules.ts';
import { nextTimes } from '../../src/commands/schedules/schedule-times.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  type CommandFixture,
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  shownDevices,
  viewerWith,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const operator = viewerWith('Operator');
const noon = new Date('2026-11-20T12:00:00Z');
const hourly: ScheduleTimes = { kind: 'cron', cron: '0 * * * *', timeZone: 'UTC' };
const minutes = (count: number) => new Date(noon.getTime() + count * 60_000);

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
beforeEach(async () => {
  fixture.setNow(noon);
  await test.database.orm.execute(sql`delete from run_schedule`);
});
afterAll(() => test[Symbol.asyncDispose]());

const create = async (
  input: Partial<CreateSchedule> = {},
  creator = operator,
): Promise<Schedule> => {
  const deviceIds = await seedDevices(test.database, [{}, {}]);
  const { idempotencyKey: _key, ...run } = runInput({ command: 'restart/device' });
  return createSchedule(fixture.deps, creator, {
    ...run,
    target: { kind: 'devices', deviceIds },
    agreement: shownDevices(deviceIds),
    confirmation: '',
    id: newId(),
    name: 'hourly',
    times: hourly,
    missed: 'skip',
    freeze: false,
    ...input,
  });
};
const fire = (creator: Viewer | undefined = operator) =>
  fireSchedules({ ...fixture.deps, findCreator: async () => creator });
const runsOf = async ({ id }: Schedule) => {
  const { rows } = await test.database.orm.execute(
    sql`select id, target_count, document_version from command_run where request_id = ${`schedule:${id}`}`,
  );
  return rows;
};
const again = ({ id }: Schedule) => getSchedule(fixture.deps, operator, id);

describe('times', () => {
  it('evaluates a cron expression in its time zone, including daylight saving time', () => {
    const times: ScheduleTimes = { kind: 'cron', cron: '30 3 * * *', timeZone: 'Europe/Berlin' };
    const found = nextTimes(times, { after: new Date('2026-10-23T12:00:00Z'), count: 3 });
    expect(found.map((time) => time.toISOString())).toEqual([
      '2026-10-24T01:30:00.000Z',
      '2026-10-25T02:30:00.000Z',
      '2026-10-26T02:30:00.000Z',
    ]);
  });

  it.each([
    { kind: 'cron', cron: '* * * * * *', timeZone: 'UTC' },
    { kind: 'cron', cron: 'H * * * *', timeZone: 'UTC' },
    { kind: 'cron', cron: '99 * * * *', timeZone: 'UTC' },
    { kind: 'cron', cron: '0 * * * *', timeZone: 'Mars/Base' },
    { kind: 'once', at: '2026-11-20T11:59:59Z' },
  ] as const)('rejects %j', async (times) => {
    await expect(create({ times })).rejects.toMatchObject({ code: 2004 });
  });
});

describe('a due time', () => {
  it('starts one run, with any number of concurrent polls', async () => {
    const schedule = await create();
    expect(schedule.nextTimes.slice(0, 2)).toEqual([
      '2026-11-20T13:00:00.000Z',
      '2026-11-20T14:00:00.000Z',
    ]);
    await fire();
    expect(await runsOf(schedule)).toEqual([]);
    fixture.setNow(minutes(60));
    await Promise.all([fire(), fire(), fire()]);
    await fire();
    const runs = await runsOf(schedule);
    expect(runs).toMatchObject([{ target_count: 2 }]);
    expect(await again(schedule)).toMatchObject({
      state: 'active',
      lastAt: '2026-11-20T13:00:00.000Z',
      lastRunId: runs[0]?.['id'],
      nextTimes: expect.arrayContaining(['2026-11-20T14:00:00.000Z']),
    });
  });

  it('starts no second run and is not missed after a crash between run and update', async () => {
    const schedule = await create();
    fixture.setNow(minutes(60));
    await fire();
    await test.database.orm.execute(sql`
      update run_schedule set next_at = ${minutes(60).toISOString()}, last_run_id = null where id = ${schedule.id}`);
    fixture.setNow(minutes(70));
    await fire();
    const runs = await runsOf(schedule);
    expect(runs).toHaveLength(1);
    expect(await again(schedule)).toMatchObject({ lastError: null, lastRunId: runs[0]?.['id'] });
  });

  it('that was missed is skipped, or run once late, as configured', async () => {
    const skipping = await create();
    const late = await create({ missed: 'run-late' });
    fixture.setNow(minutes(200));
    await fire();
    await fire();
    expect(await runsOf(skipping)).toEqual([]);
    expect(await again(skipping)).toMatchObject({ lastError: 'missed', state: 'active' });
    expect(await runsOf(late)).toHaveLength(1);
    expect((await again(late)).nextTimes[0]).toBe('2026-11-20T16:00:00.000Z');
  });

  it('runs a one-time schedule once', async () => {
    const once = await create({ times: { kind: 'once', at: minutes(5).toISOString() } });
    fixture.setNow(minutes(5));
    await fire();
    expect(await runsOf(once)).toHaveLength(1);
    expect(await again(once)).toMatchObject({ state: 'done', nextTimes: [] });
  });

  it('uses the current permissions, and a rejection is reported', async () => {
    const schedule = await create();
    fixture.setNow(minutes(60));
    await fire(viewerWith('Viewer'));
    expect(await runsOf(schedule)).toEqual([]);
    expect(await again(schedule)).toMatchObject({ lastError: 'noPermission', state: 'active' });
    const { rows } = await test.database.orm.execute(sql`
      select 1 from audit_event where type = 'schedule.refused' and data->>'scheduleId' = ${schedule.id}`);
    expect(rows).toHaveLength(1);
  });

  it('selects devices by filter again, but not for a fixed target', async () => {
    const agreement = shownDevices(await seedDevices(test.database, [{ model: 'SCHED' }]));
    const filter = {
      text: '',
      tokens: [{ key: 'model' as const, operator: '=' as const, values: ['SCHED'] }],
      operation: 'and' as const,
      targetListId: null,
    };
    const target = { kind: 'filter' as const, filter };
    const anew = await create({ target, agreement });
    const frozen = await create({ target, agreement, freeze: true });
    expect(frozen.frozenCount).toBe(1);
    await seedDevices(test.database, [{ model: 'SCHED' }]);
    fixture.setNow(minutes(60));
    await fire();
    expect(await runsOf(anew)).toMatchObject([{ target_count: 2 }]);
    expect(await runsOf(frozen)).toMatchObject([{ target_count: 1 }]);
  });
});

describe('schedules of users', () => {
  it('miss nothing while paused, do not run after deletion, and cannot be changed by others', async () => {
    const schedule = await create();
    const stranger = viewerWith('Operator');
    const reference = { id: schedule.id, origin };
    await expect(pauseSchedule(fixture.deps, stranger, reference)).rejects.toMatchObject({
      code: 1000,
    });
    await pauseSchedule(fixture.deps, operator, reference);
    fixture.setNow(minutes(200));
    await fire();
    expect(await runsOf(schedule)).toEqual([]);
    const resumed = await resumeSchedule(fixture.deps, operator, reference);
    expect(resumed).toMatchObject({ state: 'active', lastError: null });
    expect(resumed.nextTimes[0]).toBe('2026-11-20T16:00:00.000Z');
    await deleteSchedule(fixture.deps, operator, reference);
    expect(await listSchedules(fixture.deps, operator)).toEqual([]);
  });

  it('with a destructive command need a confirmed fixed target', async () => {
    const [device = ''] = await seedDevices(test.database, [{ serialNumber: 'SCHED-1' }]);
    const { rows } = await test.database.orm.execute(
      sql`select command from command_definition where consequence = 'destroys' and not command like 'document%' limit 1`,
    );
    const destroying = {
      command: String(rows[0]?.['command']),
      target: { kind: 'devices' as const, deviceIds: [device] },
      agreement: shownDevices([device]),
    };
    const admin = viewerWith('Administrator');
    const refused = { code: 2004 };
    await expect(create(destroying, admin)).rejects.toMatchObject(refused);
    await expect(create({ ...destroying, freeze: true }, admin)).rejects.toMatchObject(refused);
  });
});
