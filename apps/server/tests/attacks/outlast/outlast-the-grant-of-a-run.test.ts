import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtinRoles } from '@deviceportal/contract/permissions';
import { newId } from '@deviceportal/contract/ids';
import { redactionSchema } from '@deviceportal/contract/reports';
import type { Schedule, ScheduleTimes } from '@deviceportal/contract/schedules';
import { pauseSchedule } from '../../../src/commands/schedules/change-schedule.ts';
import { createSchedule } from '../../../src/commands/schedules/create-schedule.ts';
import { fireSchedules } from '../../../src/commands/schedules/fire-schedules.ts';
import { getSchedule } from '../../../src/commands/schedules/list-schedules.ts';
import { resumeSchedule } from '../../../src/commands/schedules/resume-schedule.ts';
import { TokenBuckets } from '../../../src/platform/token-buckets.ts';
import { createUrlSigner } from '../../../src/platform/files/url-signer.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { renewShare } from '../../../src/reports/sharing/renew-share.ts';
import { openShare, OPENINGS_QUOTA } from '../../../src/reports/sharing/open-share.ts';
import { shareReport } from '../../../src/reports/sharing/share-report.ts';
import { signShareUrl } from '../../../src/reports/sharing/shared-report-routes.ts';
import { origin, runInput, seedDevices, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { createReportFixture, type ReportFixture } from '../../support/report-fixture.ts';

const WEEK = 604_800;
const HOUR_MS = 3_600_000;
const everyMinute: ScheduleTimes = { kind: 'cron', cron: '* * * * *', timeZone: 'UTC' };
let test: TestDatabase;
let fixture: ReportFixture;
let now = new Date();

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createReportFixture(test.database);
  Object.assign(fixture.deps, { clock: () => now });
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

const write = (statement: ReturnType<typeof sql>) => test.database.orm.execute(statement);

/** A user with a permanent role for reading and another role for an hour. */
async function lend(role: string, holder = viewerWith('Viewer')): Promise<Viewer> {
  const found = builtinRoles.find(({ name }) => name === role);
  if (found === undefined) throw new Error(`no role ${role}`);
  await fixture.signUp(holder);
  const [id, until] = [newId(), new Date(Date.now() + HOUR_MS).toISOString()];
  await write(sql`
    insert into access_grant (id, user_id, role_id, role_name, permissions, scope, reason, minutes, state, asked_at, ends_at)
    values (${id}, ${holder.userId}, ${newId()}, ${role}, ${JSON.stringify(found.permissions)}::jsonb,
      ${JSON.stringify(found.scope)}::jsonb, 'night shift', 60, 'running', now(), ${until})`);
  const { permissions, scope } = found;
  const temporary = { accessGrantId: id, name: role, until, permissions, scope };
  const lasting = holder.lasting ?? holder.grants;
  return {
    ...holder,
    lasting,
    temporary: [temporary],
    grants: [...lasting, { permissions, scope }],
  };
}

const accessGrantOf = ({ temporary }: Viewer): string => temporary?.[0]?.accessGrantId ?? '';

const end = (viewer: Viewer) =>
  write(
    sql`update access_grant set state = 'ended', ended_at = clock_timestamp() where id = ${accessGrantOf(viewer)}`,
  );

async function schedule(viewer: Viewer, times = everyMinute): Promise<Schedule> {
  const deviceIds = await seedDevices(test.database, [{}]);
  const { idempotencyKey: _key, ...run } = runInput({ command: 'restart/device' });
  return createSchedule(fixture.deps, viewer, {
    ...run,
    ...{ target: { kind: 'devices' as const, deviceIds }, confirmation: '', id: newId() },
    ...{ name: 'every minute', times, missed: 'run-late' as const, freeze: false, origin },
  });
}

/** Runs the schedules a minute later. */
async function fire(creator: Viewer): Promise<void> {
  now = new Date(now.getTime() + 60_000);
  await fireSchedules({ ...fixture.deps, findCreator: async () => creator });
}

async function runsOf({ id }: Schedule): Promise<number> {
  const { rows } = await write(
    sql`select count(*)::int as count from command_run where request_id = ${`schedule:${id}`}`,
  );
  return (rows[0] as { count: number }).count;
}

it('a schedule created with temporary access ends with it, even if its creator gets the role again', async () => {
  const operator = await lend('Operator');
  const made = await schedule(operator);
  expect(made.bond).toMatchObject({ accessGrantId: accessGrantOf(operator), role: 'Operator' });
  await fire(operator);
  expect(await runsOf(made)).toBe(1);
  await end(operator);
  const again = await lend('Operator', { ...operator, grants: operator.lasting ?? [] });
  expect((await getSchedule(fixture.deps, again, made.id)).state).toBe('done');
  await fire(again);
  await fire(again);
  expect(await runsOf(made)).toBe(1);
  expect(await getSchedule(fixture.deps, again, made.id)).toMatchObject({
    ...{ state: 'done', lastError: 'noPermission', nextTimes: [] },
  });
  const { rows } = await write(sql`
    select data ->> 'elevationId' as id from audit_event where type = 'schedule.created' order by at desc limit 1`);
  expect(rows).toEqual([{ id: accessGrantOf(operator) }]);
});

it('a paused schedule cannot be resumed after its temporary access has ended', async () => {
  const operator = await lend('Operator');
  const made = await schedule(operator);
  await pauseSchedule(fixture.deps, operator, { id: made.id, origin });
  await end(operator);
  await resumeSchedule(fixture.deps, viewerWith('Administrator'), { id: made.id, origin });
  await fire(viewerWith('Administrator'));
  expect(await runsOf(made)).toBe(0);
});

it("removing the temporary access from a schedule's row does not extend it", async () => {
  const operator = await lend('Operator');
  const made = await schedule(operator);
  await write(sql`update run_schedule set access_grant_id = null where id = ${made.id}`);
  await end(operator);
  await fire(viewerWith('Administrator'));
  expect(await runsOf(made)).toBe(0);
});

it('a schedule whose first run is after the end of temporary access is rejected with the reason', async () => {
  const operator = await lend('Operator');
  const at = new Date(Date.now() + 2 * HOUR_MS).toISOString();
  await expect(schedule(operator, { kind: 'once', at })).rejects.toMatchObject({
    ...{ code: 2004, issues: [{ path: ['times'] }] },
  });
});

it('a schedule created with permanent roles continues', async () => {
  const holder = viewerWith('Operator');
  const operator = await lend('Auditor', holder);
  const made = await schedule(operator);
  expect(made.bond).toBeNull();
  await end(operator);
  await fire(holder);
  expect(await runsOf(made)).toBe(1);
});

it('a link shared with temporary access ends with it and cannot be extended', async () => {
  const support = await lend('Support');
  const person = await fixture.person('Maria Gómez', [{ serialNumber: 'SNOUTLAST1' }]);
  const { row } = await fixture.make(support, { personId: person.id });
  const signer = createUrlSigner(randomBytes(32), () => now);
  Object.assign(fixture.deps, {
    signShareUrl: (id: string, seconds: number) =>
      signShareUrl({ signer, publicUrl: 'http://portal.example' }, id, seconds),
  });
  const caller = { viewer: support, ...origin };
  const redaction = redactionSchema.parse({});
  const link = await shareReport(fixture.deps, caller, {
    id: row.id,
    redaction,
    validSeconds: WEEK,
  });
  expect(link.bond?.accessGrantId).toBe(accessGrantOf(support));
  expect(Date.parse(link.expiresAt)).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  const open = (url: string, id: string) =>
    openShare(
      { ...fixture.deps, signer, openings: new TokenBuckets(OPENINGS_QUOTA) },
      { id, as: 'page', query: Object.fromEntries(new URL(url).searchParams) },
      origin,
    );
  await expect(open(link.url, link.id)).resolves.toBeDefined();
  const renewed = await renewShare(fixture.deps, caller, { shareId: link.id, validSeconds: WEEK });
  expect(renewed.id).not.toBe(link.id);
  await end(support);
  for (const { id, url } of [link, renewed]) {
    await expect(open(url, id)).rejects.toThrow('the link has ended');
  }
});

it('nothing is created with temporary access that has ended since the permission check', async () => {
  const support = await lend('Operator');
  await end(support);
  const before = await write(sql`select count(*)::int as count from run_schedule`);
  await expect(schedule(support)).rejects.toMatchObject({
    code: 1000,
    reason: 'temporary-access-ended',
  });
  expect((await write(sql`select count(*)::int as count from run_schedule`)).rows).toEqual(
    before.rows,
  );
});
