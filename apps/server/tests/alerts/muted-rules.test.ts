import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { listAlerts } from '../../src/alerts/data/alert-queries.ts';
import { listRules } from '../../src/alerts/list-rules.ts';
import { previewRule } from '../../src/alerts/preview-rule.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { AlertsFixture, offlineRule } from './alerts-fixture.ts';

let db: TestDatabase;
let alerts: AlertsFixture;
let owner: Viewer;
let devices: string[];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const table of [
    ...['device', 'device_status', 'device_instance', 'invocation', 'command_run', 'portal_user'],
    ...['alert', 'alert_rule', 'alert_delivery', 'alert_destination'],
  ]) {
    await db.database.pool.query(`delete from ${table}`);
  }
  alerts = new AlertsFixture(db.database);
  owner = await alerts.owner();
  devices = await seedDevices(db.database, [{}, {}, {}]);
});

const firing = async () =>
  (await listAlerts(db.database.orm, owner, { state: 'firing', cursor: null, pageSize: 10 })).rows;

/** A run of one command on devices, in a state. */
async function startRun(
  deviceIds: readonly string[],
  {
    state,
    consequence = 'disrupts',
    sentMinutesAgo = 1,
  }: {
    readonly state: string;
    readonly consequence?: string;
    readonly sentMinutesAgo?: number;
  },
): Promise<void> {
  const runId = newId();
  const sentAt = new Date(alerts.deps.clock().getTime() - sentMinutesAgo * 60_000).toISOString();
  const ended = state === 'Success' ? sentAt : null;
  await db.database.orm.execute(sql`
    insert into command_run (id, idempotency_key, command, document_name, document_version, document_sha256,
      consequence, target, target_sha256, max_concurrency, max_errors, timeout_seconds, execution_timeout_seconds,
      state, status_details, target_count, pending_count, created_by_id, created_by, request_id, deliver_before, expires_at)
    values (${runId}, ${runId}, 'restart', 'device-restart', 1, '', ${consequence}, '{}', '', '100%', '100%', 600, 600,
      'InProgress', 'InProgress', 1, 1, ${runId}, 'tester', 'r', now(), now())`);
  for (const deviceId of deviceIds) {
    await db.database.orm.execute(sql`
      insert into invocation (id, run_id, device_id, state, status_details, queued_at, sent_at, ended_at, deliver_before, expires_at)
      values (${newId()}, ${runId}, ${deviceId}, ${state}, ${state}, ${sentAt}, ${state === 'Pending' ? null : sentAt},
        ${ended}, now(), now())`);
  }
}

describe('devices on which a change runs', () => {
  test('do not count, and count again when it has ended', async () => {
    await alerts.rule(owner);
    await alerts.setOffline(devices, 10);
    await startRun(devices.slice(0, 2), { state: 'InProgress' });
    await alerts.evaluate();
    expect(await firing()).toEqual([]);
    expect(await listRules(alerts.deps, owner)).toMatchObject([{ matching: 1, total: 3 }]);
    expect((await previewRule(alerts.deps, owner, offlineRule)).now).toEqual({
      matching: 1,
      total: 3,
    });
    await db.database.orm.execute(sql`update invocation set state = 'Success', ended_at = now()`);
    await alerts.evaluate();
    expect(await firing()).toMatchObject([{ matching: 3 }]);
  });

  test.each([
    ['a command that only reads', { state: 'InProgress', consequence: 'reads' }],
    ['a queued command, which could wait forever', { state: 'Pending' }],
    ['work that takes longer than an hour', { state: 'InProgress', sentMinutesAgo: 61 }],
    ['work that has ended', { state: 'Success' }],
  ])('%s hides no device', async (_, run) => {
    await alerts.rule(owner);
    await alerts.setOffline(devices, 10);
    await startRun(devices, run);
    await alerts.evaluate();
    expect(await firing()).toMatchObject([{ matching: 3 }]);
  });

  test('count for a rule that includes them', async () => {
    await alerts.rule(owner, { excludesChanging: false });
    await alerts.setOffline(devices, 10);
    await startRun(devices, { state: 'InProgress' });
    await alerts.evaluate();
    expect(await firing()).toMatchObject([{ matching: 3 }]);
  });
});

test('a rule does not fire in a maintenance window, which is visible, and fires after it', async () => {
  const clock = (minutes: number): string =>
    new Date(alerts.deps.clock().getTime() + minutes * 60_000).toISOString().slice(11, 16);
  const window = {
    ...{ days: [1, 2, 3, 4, 5, 6, 7], from: clock(-10), to: clock(10) },
    timeZone: 'UTC',
  };
  await alerts.rule(owner, { maintenance: [window] });
  await alerts.setOffline(devices, 10);
  await alerts.evaluate();
  expect(await firing()).toEqual([]);
  const [rule] = await listRules(alerts.deps, owner);
  expect(Date.parse(rule?.maintenanceUntil ?? '')).toBeGreaterThan(alerts.deps.clock().getTime());
  alerts.pass(11);
  await alerts.evaluate();
  expect(await firing()).toHaveLength(1);
  expect(await listRules(alerts.deps, owner)).toMatchObject([{ maintenanceUntil: null }]);
});
