import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createAlertRuleInput,
  previewAlertRuleInput,
  type AlertDestinationInput,
} from '@deviceportal/contract/alerts';
import { growthLimits } from '@deviceportal/contract/growth-limits';
import { listRules } from '../../../src/alerts/list-rules.ts';
import { deleteRule } from '../../../src/alerts/delete-rule.ts';
import { changeRule } from '../../../src/alerts/save-rule.ts';
import { retryDelivery } from '../../../src/alerts/sending/retry-delivery.ts';
import { testDestination } from '../../../src/alerts/sending/test-destination.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { AlertsFixture, offlineRule, startReceiver } from '../../alerts/alerts-fixture.ts';
import { origin, seedDevices } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let db: TestDatabase;
let alerts: AlertsFixture;
let owner: Viewer;
let devices: string[];
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const table of [
    ...['device', 'device_status', 'device_instance', 'portal_user', 'alert_manual_message'],
    ...['alert', 'alert_rule', 'alert_delivery', 'alert_destination'],
  ]) {
    await db.database.pool.query(`delete from ${table}`);
  }
  alerts = new AlertsFixture(db.database);
  owner = await alerts.owner();
  devices = await seedDevices(db.database, [{}, {}]);
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const emailTo = (...addresses: string[]): AlertDestinationInput => ({ kind: 'email', addresses });

async function destinationOf(viewer: Viewer, destination: AlertDestinationInput): Promise<string> {
  const { id } = await alerts.rule(viewer, { destinations: [destination] });
  const { rows } = await db.database.orm.execute<{ id: string }>(
    sql`select id from alert_destination where rule_id = ${id}`,
  );
  return rows[0]?.id ?? '';
}

/** Tests a destination until it is rejected. @returns how often it was not */
async function testUntilRejected(viewer: Viewer, destinationId: string): Promise<number> {
  for (let count = 0; ; count += 1) {
    try {
      await testDestination(alerts.deps, { ...origin, viewer }, { destinationId });
    } catch (error) {
      expect(error).toMatchObject({ reason: 'limit-reached' });
      return count;
    }
  }
}

const perAddress = growthLimits.alertTestsOfAddress.most;
const perUser = growthLimits.alertTests.most;

describe('tests of destinations', () => {
  test('an address gets a few tests a day, also from other rules, spellings, and users', async () => {
    const first = await destinationOf(owner, emailTo('victim@example.com'));
    expect(await testUntilRejected(owner, first)).toBe(perAddress);
    const again = await destinationOf(owner, emailTo('Victim+alerts@example.com'));
    expect(await testUntilRejected(owner, again)).toBe(0);
    const other = await alerts.owner();
    const second = await destinationOf(other, emailTo('victim@example.com'));
    expect(await testUntilRejected(other, second)).toBe(0);
    expect(alerts.mails).toHaveLength(perAddress);
    alerts.pass(24 * 60 + 1);
    expect(await testUntilRejected(other, second)).toBe(perAddress);
  });

  test('the query of an address makes no other address', async () => {
    const url = `${receiver.url}?a=1`;
    expect(
      await testUntilRejected(owner, await destinationOf(owner, { kind: 'webhook', url })),
    ).toBe(perAddress);
    const varied: AlertDestinationInput = { kind: 'webhook', url: `${receiver.url}?a=2` };
    expect(await testUntilRejected(owner, await destinationOf(owner, varied))).toBe(0);
    expect(receiver.received).toHaveLength(perAddress);
  });

  test('a user cannot spread tests over many addresses', async () => {
    let sent = 0;
    for (let group = 0; sent < perUser && group < 20; group += 1) {
      const addresses = Array.from({ length: 10 }, (_, n) => `person${group}-${n}@example.com`);
      const rejectedAfter = await testUntilRejected(
        owner,
        await destinationOf(owner, emailTo(...addresses)),
      );
      if (rejectedAfter === 0) break;
      sent += rejectedAfter * 10;
    }
    expect(alerts.mails.length).toBeLessThanOrEqual(perUser);
  });

  test('simultaneous tests do not exceed the limit together', async () => {
    const destinationId = await destinationOf(owner, { kind: 'webhook', url: receiver.url });
    const caller = { ...origin, viewer: owner };
    await Promise.allSettled(
      Array.from({ length: perAddress * 2 }, () =>
        testDestination(alerts.deps, caller, { destinationId }),
      ),
    );
    expect(receiver.received).toHaveLength(perAddress);
  });

  test('a rejected delivery is not a way to send without a limit', async () => {
    await destinationOf(owner, { kind: 'webhook', url: receiver.url });
    await alerts.setOffline(devices, 10);
    await alerts.evaluate();
    receiver.answers.status = 410;
    await alerts.deliver();
    const { rows } = await db.database.orm.execute<{ id: string }>(
      sql`select id from alert_delivery`,
    );
    const again = async (): Promise<void> => {
      await retryDelivery(alerts.deps, { ...origin, viewer: owner }, { id: rows[0]?.id ?? '' });
      await alerts.deliver();
    };
    for (let count = 0; count < perAddress; count += 1) await again();
    await expect(again()).rejects.toMatchObject({ reason: 'limit-reached' });
    expect(receiver.received).toHaveLength(perAddress + 1);
  });
});

describe('rules that change all the time', () => {
  const mail = emailTo('victim@example.com');
  const notices = (event: string) => alerts.count('alert_delivery', `event = '${event}'`);

  /** The devices go offline and come back. */
  async function flap(): Promise<void> {
    await alerts.setOffline(devices, 10);
    await alerts.evaluate();
    await alerts.setOnline(devices);
    await alerts.settle();
  }

  test('an end in the moment of the start is not accepted', () => {
    for (const schema of [createAlertRuleInput, previewAlertRuleInput]) {
      const { error } = schema.safeParse({ ...offlineRule, resolveMinutes: 0 });
      expect(error?.issues).toMatchObject([{ path: ['resolveMinutes'] }]);
    }
  });

  test('the notices of a rule are paused after six alerts within an hour, and this is visible', async () => {
    await alerts.rule(owner, { destinations: [mail] });
    for (let count = 0; count < 12; count += 1) await flap();
    expect(await alerts.count('alert', 'true')).toBe(12);
    expect(await notices('firing')).toBe(6);
    expect(await notices('resolved')).toBe(6);
    const [rule] = await listRules(alerts.deps, owner);
    const until = Date.parse(rule?.noticesPausedUntil ?? '');
    expect(until).toBeGreaterThan(alerts.deps.clock().getTime());
    expect(
      await alerts.count('audit_event', `type = 'alert.notices-paused'`),
    ).toBeGreaterThanOrEqual(1);
  });

  test('an alert that still fires after the pause is sent then, once, with its end', async () => {
    await alerts.rule(owner, { destinations: [mail] });
    for (let count = 0; count < 6; count += 1) await flap();
    await alerts.setOffline(devices, 10);
    await alerts.evaluate();
    expect(await notices('firing')).toBe(6);
    alerts.pass(60);
    for (let round = 0; round < 3; round += 1) await alerts.evaluate();
    expect(await notices('firing')).toBe(7);
    expect(await listRules(alerts.deps, owner)).toMatchObject([{ noticesPausedUntil: null }]);
    await alerts.setOnline(devices);
    await alerts.settle();
    expect(await notices('resolved')).toBe(7);
  });

  test('a rule that is edited again and again sends no more notices', async () => {
    const { id } = await alerts.rule(owner, { destinations: [mail] });
    const { rows } = await db.database.orm.execute<{ id: string }>(
      sql`select id from alert_destination`,
    );
    const kept: AlertDestinationInput = { kind: 'kept', id: rows[0]?.id ?? '' };
    await alerts.setOffline(devices, 10);
    for (let revision = 1; revision <= 12; revision += 1) {
      await alerts.evaluate();
      await changeRule(
        alerts.deps,
        { ...origin, viewer: owner },
        { ...offlineRule, id, revision, above: revision % 2, destinations: [kept] },
      );
    }
    expect(await notices('firing')).toBe(6);
    expect(await notices('resolved')).toBe(6);
  });

  test('a user who deletes and creates rules has a limit for all of them', async () => {
    await db.database.orm.execute(sql`
      insert into alert (id, rule_id, owner_id, rule_name, severity, filter, condition, unit, above,
        started_at, announced_at, resolved_at, matching, total, peak)
      select gen_random_uuid(), gen_random_uuid(), ${owner.userId}, 'Deleted', 'info', '{}', '{}', 'devices', 0,
        at, at, at, 1, 1, 1
      from (select ${alerts.deps.clock().toISOString()}::timestamptz - n * interval '30 seconds' as at
        from generate_series(1, 100) n) times`);
    await alerts.setOffline(devices, 10);
    for (let count = 0; count < 3; count += 1) {
      const { id } = await alerts.rule(owner, { destinations: [mail] });
      await alerts.evaluate();
      await deleteRule(alerts.deps, { ...origin, viewer: owner }, { id });
    }
    expect(await notices('firing')).toBe(0);
    const other = await alerts.owner();
    await alerts.rule(other, { destinations: [mail] });
    await alerts.evaluate();
    expect(await notices('firing')).toBe(1);
  });
});
