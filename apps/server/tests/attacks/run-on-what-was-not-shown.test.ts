import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { everywhere } from '@deviceportal/contract/permissions';
import type { Schedule } from '@deviceportal/contract/schedules';
import { previewTarget } from '../../src/commands/target/preview-target.ts';
import { previewRerun, rerunCommand } from '../../src/commands/rerun-command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createSchedule } from '../../src/commands/schedules/create-schedule.ts';
import { fireSchedules } from '../../src/commands/schedules/fire-schedules.ts';
import { getSchedule } from '../../src/commands/schedules/list-schedules.ts';
import { resumeSchedule } from '../../src/commands/schedules/resume-schedule.ts';
import type { TargetAgreement } from '../../src/commands/target/target-agreement.ts';
import { previewUndo, undoRun } from '../../src/commands/undo/undo-run.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createCommandFixture,
  may,
  nothingShown,
  origin,
  runInput,
  seedDevices,
  shownBy,
  shownDevices,
  viewerHolding,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishUndoable, stepsDone, UNDOABLE } from '../support/undoable-document.ts';

const operator = viewerWith('Administrator');
const noon = new Date('2026-11-20T12:00:00Z');

let test: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  await publishUndoable(fixture.deps, operator);
});
afterAll(() => test[Symbol.asyncDispose]());

/** Its own model, so that a filter finds only the devices of one test. */
async function fleet(count: number, country = 'DE') {
  const model = `M-${randomUUID()}`;
  const grow = (more: number, where = country) =>
    seedDevices(
      test.database,
      Array.from({ length: more }, (_, index) => ({
        ...{ model, country: where },
        serialNumber: `${where}-${randomUUID().slice(0, 8).toUpperCase()}-${index}`,
      })),
    );
  const deviceIds = await grow(count);
  const tokens = [{ key: 'model' as const, operator: '=' as const, values: [model] }];
  const filter = { text: '', tokens, operation: 'and' as const, targetListId: null };
  return { deviceIds, grow, target: { kind: 'filter' as const, filter } };
}

type Target = Awaited<ReturnType<typeof fleet>>['target'];
const restart = { command: 'restart/device', document: '' };
const preview = (target: Target, viewer = operator) =>
  previewTarget(fixture.deps, viewer, { ...restart, target });
const run = (target: Target, agreement: TargetAgreement, viewer: Viewer = operator) =>
  runCommand(fixture.deps, viewer, runInput({ command: 'restart/device', target, agreement }));
const suspend = (deviceId = '') =>
  test.database.orm.execute(sql`update device set lifecycle = 'suspended' where id = ${deviceId}`);

async function sent(deviceIds: readonly string[]): Promise<number> {
  const { rows } = await test.database.orm.execute(sql`
    select count(*)::int as count from invocation where device_id = any(${sql.param([...deviceIds])}::uuid[])`);
  return Number(rows[0]?.['count']);
}

const notShown = { code: 2004, facts: { reason: 'target-not-shown' } };

describe('a run cannot include devices that were not shown', () => {
  it('by a filter without a hash, however few match it', async () => {
    const { target, deviceIds } = await fleet(1);
    await expect(run(target, nothingShown)).rejects.toMatchObject(notShown);
    expect(await sent(deviceIds)).toBe(0);
  });

  it('by several ids without a hash', async () => {
    const { deviceIds } = await fleet(2);
    const target = { kind: 'devices' as const, deviceIds };
    const input = runInput({ command: 'restart/device', target, agreement: nothingShown });
    await expect(runCommand(fixture.deps, operator, input)).rejects.toMatchObject(notShown);
    expect(await sent(deviceIds)).toBe(0);
  });

  it('by a hash without the count, or with another count', async () => {
    const { target, deviceIds } = await fleet(3);
    const { sha256 } = await preview(target);
    const agreed = { kind: 'shown', sha256 } as const;
    await expect(run(target, { ...agreed, count: null })).rejects.toMatchObject(notShown);
    await expect(run(target, { ...agreed, count: 2 })).rejects.toMatchObject({ code: 2004 });
    expect(await sent(deviceIds)).toBe(0);
    await run(target, { ...agreed, count: 3 });
    expect(await sent(deviceIds)).toBe(3);
  });

  it('that joined since: it is rejected with the first five of them', async () => {
    const { target, deviceIds, grow } = await fleet(3);
    const shown = await preview(target);
    const joined = await grow(20);
    await suspend(deviceIds[0]);
    const refused = await run(target, shownBy(shown)).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 2004,
      facts: { reason: 'target-changed', devices: 22, added: 20, removed: 1 },
    });
    const { addedDevices } = (refused as { facts: { addedDevices: string } }).facts;
    expect(addedDevices.split(', ')).toHaveLength(5);
    expect(await sent([...deviceIds, ...joined])).toBe(0);
  });

  it('by repeating or undoing a run', async () => {
    const { deviceIds } = await fleet(3);
    const target = { kind: 'devices' as const, deviceIds };
    const document = { command: 'document', document: UNDOABLE, target };
    const { id } = await runCommand(fixture.deps, operator, runInput(document));
    await test.database.orm.execute(sql`
      update invocation set state = 'Success', ended_at = now(), steps = ${stepsDone()}::jsonb where run_id = ${id}`);
    const again = (agreement: TargetAgreement) =>
      rerunCommand(fixture.deps, operator, {
        ...{ runId: id, onlyFailed: false, answer: null, confirmation: '', agreement, origin },
        idempotencyKey: randomUUID(),
      });
    const undo = (agreement: TargetAgreement) =>
      undoRun(fixture.deps, operator, {
        ...{ runId: id, deviceId: null, comment: '', confirmation: '', agreement, origin },
        idempotencyKey: randomUUID(),
      });
    await expect(again(nothingShown)).rejects.toMatchObject(notShown);
    await expect(undo(nothingShown)).rejects.toMatchObject(notShown);
    const ofRerun = await previewRerun(fixture.deps, operator, {
      ...{ runId: id, onlyFailed: false, answer: null },
    });
    const ofUndo = await previewUndo(fixture.deps, operator, {
      ...{ runId: id, deviceId: null, whenLocked: 'queue' },
    });
    await suspend(deviceIds[0]);
    const changed = { facts: { reason: 'target-changed', removed: 1, added: 0 } };
    await expect(again(shownBy(ofRerun))).rejects.toMatchObject(changed);
    await expect(undo(shownBy(ofUndo))).rejects.toMatchObject(changed);
    expect(await sent(deviceIds)).toBe(3);
    const left = shownDevices(deviceIds.slice(1));
    expect((await undo(left)).counters.target).toBe(2);
  });
});

describe('a rejection does not name devices outside the scope', () => {
  const german = { ...everywhere, countries: ['DE'] };
  const inGermany = (userId: string): Viewer => ({
    ...viewerHolding([may(['devices:read', 'commands:read', 'commands:run:@disrupts'], german)]),
    userId,
  });

  it('that were shown while they were in scope', async () => {
    const { target, deviceIds, grow } = await fleet(2);
    await grow(1, 'FR');
    const shown = await preview(target);
    await suspend(deviceIds[0]);
    const refused = await run(target, shownBy(shown), inGermany(operator.userId)).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ facts: { added: 0, removed: 1, devices: 1 } });
    expect(JSON.stringify((refused as { facts: object }).facts)).not.toMatch(/FR-/);
  });

  it('that were shown to another user', async () => {
    const { target } = await fleet(2);
    const theirs = await preview(target);
    const stranger = inGermany(newId());
    const refused = await run((await fleet(1)).target, shownBy(theirs), stranger).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ facts: { reason: 'target-changed', devices: 1 } });
    expect((refused as { facts: object }).facts).not.toHaveProperty('removed');
  });
});

describe('a schedule cannot grow to more devices than were confirmed', () => {
  const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);
  const fire = () => fireSchedules({ ...fixture.deps, findCreator: async () => operator });
  const schedule = (
    target: Target,
    agreement: TargetAgreement,
    maxDevices: number | null = null,
  ): Promise<Schedule> => {
    const { idempotencyKey: _key, ...input } = runInput({ command: 'restart/device' });
    return createSchedule(fixture.deps, operator, {
      ...{ ...input, target, agreement, confirmation: '', maxDevices },
      ...{ id: newId(), name: 'hourly', missed: 'run-late', freeze: false },
      times: { kind: 'cron', cron: '0 * * * *', timeZone: 'UTC' },
    });
  };

  it('at its creation', async () => {
    const { target } = await fleet(2);
    await expect(schedule(target, nothingShown)).rejects.toMatchObject(notShown);
    await expect(schedule(target, shownBy(await preview(target)), 1)).rejects.toMatchObject({
      issues: [{ path: ['maxDevices'] }],
    });
  });

  it('by a filter that grows: it is paused, its creator is notified, and a user confirms the new devices', async () => {
    await test.database.orm.execute(sql`delete from run_schedule`);
    await test.database.orm.execute(sql`
      insert into portal_user (id, subject, username, name)
      values (${operator.userId}, ${operator.subject}, ${operator.username}, 'A') on conflict do nothing`);
    fixture.setNow(noon);
    const { target, deviceIds, grow } = await fleet(10);
    const { id, maxDevices } = await schedule(target, shownBy(await preview(target)));
    expect(maxDevices).toBe(11);
    await grow(1);
    fixture.setNow(later(60));
    await fire();
    expect(await sent(deviceIds)).toBe(10);
    await grow(1);
    fixture.setNow(later(120));
    await fire();
    expect(await sent(deviceIds)).toBe(10);
    expect(await getSchedule(fixture.deps, operator, id)).toMatchObject({
      ...{ state: 'paused', lastError: 'target-grew', exceedingCount: 12, nextTimes: [] },
    });
    const { rows } = await test.database.orm.execute(sql`
      select kind, facts from notification where user_id = ${operator.userId} and kind = 'schedule-paused'`);
    expect(rows).toMatchObject([{ facts: { devices: 12, limit: 11 } }]);
    const { rows: events } = await test.database.orm.execute(sql`
      select data from audit_event where type = 'schedule.paused' and data->>'scheduleId' = ${id}`);
    expect(events).toMatchObject([{ data: { error: 'target-grew', devices: 12, limit: 11 } }]);
    await resumeSchedule(fixture.deps, operator, { id, maxDevices: 12, origin });
    fixture.setNow(later(180));
    await fire();
    expect(await sent(deviceIds)).toBe(20);
    fixture.setNow(null);
  });
});

it('previews of ever different devices cannot fill the database', async () => {
  const person = viewerWith('Administrator');
  const { target, grow } = await fleet(1);
  const fill = sql`
    insert into shown_target (user_id, sha256, device_count, device_ids, shown_at)
    values (${person.userId}, 'old', 2000000, '{}', now() - interval '1 minute')`;
  await test.database.orm.execute(fill);
  for (let round = 0; round < 3; round += 1) {
    await preview(target, person);
    await grow(1);
  }
  const { rows } = await test.database.orm.execute(sql`
    select sum(device_count)::int as ids, count(*)::int as sets from shown_target where user_id = ${person.userId}`);
  expect(rows).toEqual([{ ids: 6, sets: 3 }]);
});
