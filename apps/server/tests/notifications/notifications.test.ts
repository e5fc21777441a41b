import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import type { NotificationKind } from '@deviceportal/contract/notifications';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import { approveAirBlast } from '../../src/air-blast/decide-approval.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import { rejectVersion } from '../../src/documents/decide-review.ts';
import { sendForReview } from '../../src/documents/send-for-review.ts';
import type { Notice, NoticeQueue } from '../../src/messages/notice-queue.ts';
import { upsertSetting } from '../../src/notifications/data/setting-queries.ts';
import { notify } from '../../src/notifications/notify.ts';
import { notifyDevicesBack } from '../../src/notifications/notify-devices-back.ts';
import {
  getNotificationSettings,
  listNotifications,
  readNotifications,
} from '../../src/notifications/read-notifications.ts';
import { sendNotices } from '../../src/notifications/send-notices.ts';
import { isWaitingForDevice, waitForDevice } from '../../src/notifications/wait-for-device.ts';
import { createOutboxNotices } from '../../src/outbox/outbox-notices.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { origin, runInput, seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
let operator: Viewer;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
beforeEach(async () => {
  await test.owner.orm.execute(sql`
    truncate notification, notification_setting, device_wait, portal_user, user_role, outbox_message`);
  operator = await person('Operator');
});
afterAll(() => test[Symbol.asyncDispose]());

/** A registered user with a built-in role, or with a copy of it for a scope. */
async function person(role: string, scope: Scope = everywhere, language = 'en'): Promise<Viewer> {
  const viewer = viewerWith(role, scope);
  const email = `${viewer.userId}@example.com`;
  await test.database.orm.execute(sql`
    insert into portal_user (id, subject, username, email, name, preferences)
    values (${viewer.userId}, ${viewer.subject}, ${email}, ${email}, ${role}, ${JSON.stringify({ language })}::jsonb)`);
  const roleId = newId();
  await test.database.orm.execute(sql`
    insert into role (id, name, permissions, scope)
    select ${roleId}, ${`${role} ${roleId}`}, permissions, ${JSON.stringify(scope)}::jsonb from role where name = ${role}`);
  await test.database.orm.execute(
    sql`insert into user_role (user_id, role_id) values (${viewer.userId}, ${roleId})`,
  );
  return { ...viewer, username: email };
}

/** An administrator by the group of the user pool, without an assigned role. */
async function administratorByGroup(): Promise<Viewer> {
  const viewer = await person('Administrator');
  await test.database.orm.execute(sql`delete from user_role where user_id = ${viewer.userId}`);
  await test.database.orm.execute(
    sql`update portal_user set in_admin_group = true where id = ${viewer.userId}`,
  );
  return viewer;
}

const told = async (viewer: Viewer) =>
  (await listNotifications(fixture.deps, viewer, { pageSize: 25, cursor: null })).rows;
const kindsTold = async (viewer: Viewer): Promise<NotificationKind[]> =>
  (await told(viewer)).map(({ kind }) => kind);

async function run(deviceIds: readonly string[], age = '1 hour') {
  const target = { kind: 'devices' as const, deviceIds: [...deviceIds] };
  const made = await runCommand(
    fixture.deps,
    operator,
    runInput({ command: 'restart/agent', target, maxErrors: '100%' }),
  );
  await test.database.orm.execute(sql`
    update command_run set created_at = created_at - ${age}::interval where id = ${made.id}`);
  await test.database.orm.execute(sql`
    update invocation set queued_at = queued_at - ${age}::interval, sent_at = now(), started_at = now()
    where run_id = ${made.id}`);
  return made;
}

describe('a finished run', () => {
  it('notifies its sender once, with its counts, for any number of devices', async () => {
    const ids = await seedDevices(test.database, [{}, {}, {}]);
    const made = await run(ids);
    await fixture.answer((id) => (id === ids[0] ? 'Failed' : 'Success'));
    expect(await told(operator)).toMatchObject([
      {
        kind: 'run-ended',
        facts: { runId: made.id, command: 'restart/agent', target: 3, success: 2, failed: 1 },
        readAt: null,
      },
    ]);
    const draft = { userId: operator.userId, kind: 'run-ended', facts: {} } as const;
    await inTransaction(test.database, (tx) =>
      notify(tx, [{ ...draft, subject: `run:${made.id}` }]),
    );
    expect(await told(operator)).toHaveLength(1);
  });

  it('sends nothing for a run on one device that ended within seconds', async () => {
    await run(await seedDevices(test.database, [{}]), '1 second');
    await fixture.answer();
    expect(await told(operator)).toEqual([]);
  });

  it('notifies once for a run of the queued invocations that ran on reconnected devices, with their number', async () => {
    const ids = await seedDevices(test.database, [{ serialNumber: 'SNBACK1' }, {}, {}]);
    const made = await run(ids);
    const comesBack = (id: string | undefined) =>
      test.database.orm.execute(
        sql`update device_status set connectivity_since = now() where device_id = ${id}`,
      );
    await comesBack(ids[0]);
    await answerOne(made.id, ids[0]);
    expect(await told(operator)).toMatchObject([
      { kind: 'queued-ran', facts: { device: 'SNBACK1', devices: 1, runId: made.id } },
    ]);
    await comesBack(ids[1]);
    await answerOne(made.id, ids[1]);
    expect(await told(operator)).toMatchObject([{ kind: 'queued-ran', facts: { devices: 2 } }]);
    await answerOne(made.id, ids[2]);
    expect(await kindsTold(operator)).toEqual(['run-ended', 'queued-ran']);
    const [alone] = await seedDevices(test.database, [{}]);
    await run([alone ?? '']);
    await comesBack(alone);
    await fixture.answer();
    expect(await kindsTold(operator)).toEqual(['queued-ran', 'run-ended', 'queued-ran']);
  });

  /** One device responds; the others are unchanged. */
  async function answerOne(runId: string, deviceId: string | undefined): Promise<void> {
    await test.database.orm.execute(sql`
      update invocation set ended_at = now() where run_id = ${runId} and device_id <> ${deviceId} and ended_at is null`);
    await fixture.answer();
    await test.database.orm.execute(sql`
      update invocation set ended_at = null
      where run_id = ${runId} and state in ('Pending', 'InProgress')`);
  }
});

describe('each user', () => {
  const draft = (viewer: Viewer, subject: string) =>
    ({
      userId: viewer.userId,
      kind: 'device-back',
      subject,
      facts: { deviceId: newId(), device: 'SN1' },
    }) as const;
  const say = (viewer: Viewer, subject: string) =>
    inTransaction(test.database, (tx) => notify(tx, [draft(viewer, subject)]));

  it('is notified of a kind according to their preferences, and sees only their own notifications', async () => {
    const other = await person('Support');
    await upsertSetting(test.database.orm, operator.userId, {
      kind: 'device-back',
      portal: false,
      message: false,
    });
    expect(await say(operator, 'one')).toEqual([]);
    expect(await say(other, 'one')).toEqual([{ kind: 'notifications', subjects: [other.subject] }]);
    expect(await told(operator)).toEqual([]);
    const [theirs] = await told(other);
    await readNotifications(fixture.deps, operator, [theirs?.id ?? '']);
    expect((await told(other))[0]?.readAt).toBeNull();
    await readNotifications(fixture.deps, other, null);
    expect((await told(other))[0]?.readAt).not.toBeNull();
    const settings = await getNotificationSettings(fixture.deps, operator);
    expect(settings.find(({ kind }) => kind === 'device-back')).toMatchObject({ portal: false });
    expect(settings.find(({ kind }) => kind === 'run-ended')).toMatchObject({ portal: true });
  });

  it('gets one message in their language, even if a server crashes and two send at the same time', async () => {
    const reader = await person('Support', everywhere, 'zh-CN');
    await upsertSetting(test.database.orm, reader.userId, {
      kind: 'device-back',
      portal: false,
      message: true,
    });
    for (const subject of ['one', 'two']) await say(reader, subject);
    expect(await told(reader)).toEqual([]);
    const { database } = test;
    const publicUrl = 'https://portal.example.com';
    const outbox = createOutboxNotices(() => new Date());
    let handed = 0;
    const dying: NoticeQueue = {
      has: () => true,
      async queue(tx, notice: Notice) {
        handed += 1;
        if (handed === 2) throw new Error('killed');
        await outbox.queue(tx, notice);
      },
    };
    await expect(sendNotices({ database, notices: dying, publicUrl })).rejects.toThrow('killed');
    await Promise.all([
      sendNotices({ database, notices: outbox, publicUrl }),
      sendNotices({ database, notices: outbox, publicUrl }),
    ]);
    const { rows } = await database.orm.execute(
      sql`select recipient, subject, text from outbox_message`,
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      recipient: `${reader.userId}@example.com`,
      subject: 'SN1 已恢复在线',
      text: expect.stringContaining('https://portal.example.com/devices/') as string,
    });
  });
});

it.each([
  { role: 'Viewer', shown: 'o•••' },
  { role: 'Support', shown: 'olli@example.com' },
])('shows another user as $shown in a message to a $role', async ({ role, shown }) => {
  const reader = await person(role);
  const kind = 'document-reviewed';
  await upsertSetting(test.database.orm, reader.userId, { kind, portal: true, message: true });
  const facts = { document: 'D', version: 1, decision: 'approved', by: 'olli@example.com' };
  await inTransaction(test.database, (tx) =>
    notify(tx, [{ userId: reader.userId, kind, subject: 'one', facts }]),
  );
  await sendNotices({
    database: test.database,
    notices: createOutboxNotices(() => new Date()),
    publicUrl: 'https://portal.example.com',
  });
  const { rows } = await test.database.orm.execute<{ text: string }>(
    sql`select text from outbox_message`,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.text).toContain(shown);
  expect((await told(reader))[0]?.facts['by']).toBe(shown);
});

describe('a request to be notified when a device is back online', () => {
  const back = (deviceId: string) =>
    inTransaction(test.database, (tx) => notifyDevicesBack(tx, [deviceId]));

  it('is answered once when the device is back, and again when requested again', async () => {
    const [id] = (await seedDevices(test.database, [{ connectivity: 'offline' }])) as [string];
    await waitForDevice(fixture.deps, operator, { deviceId: id, wait: true });
    await waitForDevice(fixture.deps, operator, { deviceId: id, wait: true });
    expect(await isWaitingForDevice(fixture.deps, operator, id)).toBe(true);
    await Promise.all([back(id), back(id)]);
    expect(await kindsTold(operator)).toEqual(['device-back']);
    expect(await isWaitingForDevice(fixture.deps, operator, id)).toBe(false);
    await waitForDevice(fixture.deps, operator, { deviceId: id, wait: true });
    await back(id);
    expect(await told(operator)).toHaveLength(2);
    await waitForDevice(fixture.deps, operator, { deviceId: id, wait: true });
    await waitForDevice(fixture.deps, operator, { deviceId: id, wait: false });
    await back(id);
    expect(await told(operator)).toHaveLength(2);
  });

  it("is not answered after the device has left the viewer's scope", async () => {
    const scope = { ...everywhere, countries: ['DE'] };
    const inGermany = await person('Operator', scope);
    const [stays, leaves] = (await seedDevices(test.database, [
      { connectivity: 'offline', country: 'DE' },
      { connectivity: 'offline', country: 'DE' },
    ])) as [string, string];
    for (const deviceId of [stays, leaves]) {
      await waitForDevice(fixture.deps, inGermany, { deviceId, wait: true });
    }
    await test.database.orm.execute(sql`update device set country = 'FR' where id = ${leaves}`);
    await back(stays);
    await back(leaves);
    expect((await told(inGermany)).map(({ facts }) => facts['deviceId'])).toEqual([stays]);
  });

  it('is answered immediately if the device has reconnected, and rejected outside the scope', async () => {
    const [id] = (await seedDevices(test.database, [{ connectivity: 'online' }])) as [string];
    await waitForDevice(fixture.deps, operator, { deviceId: id, wait: true });
    expect(await kindsTold(operator)).toEqual(['device-back']);
    const inFrance = await person('Operator', { ...everywhere, countries: ['FR'] });
    await expect(
      waitForDevice(fixture.deps, inFrance, { deviceId: id, wait: true }),
    ).rejects.toMatchObject({ code: 6000 });
  });
});

it('notifies the possible approvers of a rollout until one has decided, and its participants of the end', async () => {
  const ids = await seedDevices(
    test.database,
    Array.from({ length: 100 }, () => ({ country: 'DE' })),
  );
  const approver = await person('Administrator');
  const second = await administratorByGroup();
  const inFrance = await person('Administrator', { ...everywhere, countries: ['FR'] });
  const plan = await fixture.plan(operator, ids, { options: { wavePercents: [100] } });
  await fixture.next(operator, plan);
  await fixture.next(operator, plan);
  const waiting = await fixture.settle(plan, operator);
  expect(waiting.state).toBe('approval');
  expect(await told(approver)).toMatchObject([
    { kind: 'air-blast-approval', facts: { airBlastId: plan.id, devices: 100 }, readAt: null },
  ]);
  expect(await kindsTold(second)).toEqual(['air-blast-approval']);
  expect(await told(inFrance)).toEqual([]);
  expect(await told(operator)).toEqual([]);
  const { planSha256 } = waiting;
  await approveAirBlast(fixture.deps, approver, { id: plan.id, planSha256, comment: '', origin });
  expect((await told(second))[0]?.readAt).not.toBeNull();
  await fixture.next(operator, plan);
  await fixture.settle(plan, operator);
  await fixture.next(operator, plan);
  await fixture.settle(plan, operator);
  expect(await kindsTold(operator)).toEqual(['air-blast-ended']);
});

it('notifies the reviewers of a document, and its author of the decision', async () => {
  const reviewer = await person('Administrator');
  const other = await administratorByGroup();
  await createDocument(fixture.deps, operator, {
    name: 'Notified',
    description: '',
    consequence: 'reads',
    secretParameters: [],
    labels: {},
    content: `schemaVersion: '2.2'\nmainSteps:\n  - action: aws:runShellScript\n    name: say\n    inputs: { runCommand: ['true'] }\n`,
    note: '',
    origin,
  });
  const version = { name: 'Notified', version: 1, origin };
  await sendForReview(fixture.deps, operator, version);
  expect(await kindsTold(reviewer)).toEqual(['document-review']);
  expect(await kindsTold(other)).toEqual(['document-review']);
  expect(await told(operator)).toEqual([]);
  await rejectVersion(fixture.deps, reviewer, { ...version, comment: 'why?' });
  expect((await told(other))[0]?.readAt).not.toBeNull();
  expect(await told(operator)).toMatchObject([
    { kind: 'document-reviewed', facts: { decision: 'rejected', comment: 'why?' } },
  ]);
  await sendForReview(fixture.deps, operator, version);
  expect(await told(reviewer)).toMatchObject([{ kind: 'document-review', readAt: null }]);
});
