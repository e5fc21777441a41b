import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AlertDestinationInput } from '@deviceportal/contract/alerts';
import { listAlerts } from '../../src/alerts/data/alert-queries.ts';
import { listRules } from '../../src/alerts/list-rules.ts';
import { changeRule } from '../../src/alerts/save-rule.ts';
import { deleteUnusedLists } from '../../src/devices/data/list/target-list-queries.ts';
import { createTargetList } from '../../src/devices/list/target-lists.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { may, origin, seedDevices, viewerHolding } from '../support/command-fixture.ts';
import { CrashInjector, isKilled } from '../support/crash-injector.ts';
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
    'device',
    'device_status',
    'device_instance',
    'finding',
    'portal_user',
    'alert',
    'alert_rule',
    'alert_delivery',
    'alert_destination',
  ]) {
    await db.database.pool.query(`delete from ${table}`);
  }
  alerts = new AlertsFixture(db.database);
  owner = await alerts.owner();
  devices = await seedDevices(db.database, [
    { country: 'DE' },
    { country: 'DE' },
    { country: 'FR' },
    { country: 'FR', lifecycle: 'retired' },
  ]);
});

const firing = (viewer: Viewer = owner) =>
  listAlerts(db.database.orm, viewer, { state: 'firing', cursor: null, pageSize: 10 });
const resolved = () =>
  listAlerts(db.database.orm, owner, { state: 'resolved', cursor: null, pageSize: 10 });
const mail: AlertDestinationInput = { kind: 'email', addresses: ['ops@example.com'] };
const deliveries = (event: string) => alerts.count('alert_delivery', `event = '${event}'`);
const events = (type: string) => alerts.count('audit_event', `type = '${type}'`);

describe('evaluation of alert rules', () => {
  test('an alert fires once while devices are offline for long enough, and resolves once', async () => {
    const before = await events('alert.fired');
    await alerts.rule(owner, { destinations: [mail] });
    await alerts.setOffline(devices, 4);
    await alerts.evaluate();
    expect((await firing()).rows).toEqual([]);
    alerts.pass(2);
    for (let round = 0; round < 3; round += 1) await alerts.evaluate();
    // The retired device does not count.
    expect((await firing()).rows).toMatchObject([{ matching: 3, total: 3, peak: 3 }]);
    expect(await deliveries('firing')).toBe(1);
    expect(await events('alert.fired')).toBe(before + 1);
    await alerts.setOnline(devices.slice(0, 2));
    await alerts.evaluate();
    expect((await firing()).rows).toHaveLength(1);
    for (let round = 0; round < 2; round += 1) await alerts.settle();
    expect((await firing()).rows).toEqual([]);
    expect((await resolved()).rows).toMatchObject([{ reason: 'recovered', matching: 1, peak: 3 }]);
    expect(await deliveries('resolved')).toBe(1);
    expect(alerts.errors).toEqual([]);
  });

  test('a finding counts from its least severity, and only of its rule', async () => {
    await alerts.rule(owner, {
      condition: { kind: 'finding', rule: 'disk-full', severity: 'error' },
      ...{ above: 0, resolveAt: 0 },
    });
    const [one, other] = devices;
    await db.database.orm.execute(sql`
      insert into finding (rule, device_id, severity, facts, opened_at)
      values ('disk-full', ${one}, 'warning', '{}', now()), ('clock-wrong', ${other}, 'error', '{}', now())`);
    await alerts.evaluate();
    expect((await firing()).rows).toEqual([]);
    await db.database.orm.execute(sql`update finding set severity = 'error'`);
    await alerts.evaluate();
    expect((await firing()).rows).toMatchObject([{ matching: 1, total: 3 }]);
  });

  test('a share is measured within the filter', async () => {
    await alerts.rule(owner, {
      filter: {
        ...offlineRule.filter,
        tokens: [{ key: 'country', operator: '=', values: ['FR'] }],
      },
      ...{ unit: 'percent', above: 99, resolveAt: 99 },
    });
    await alerts.setOffline(devices.slice(2, 3), 10);
    await alerts.evaluate();
    expect((await firing()).rows).toMatchObject([{ matching: 1, total: 1 }]);
  });

  test('a rule sees only the devices of its owner, also after the scope was reduced', async () => {
    const german = await alerts.owner({ countries: ['DE'] });
    await alerts.rule(german);
    await alerts.setOffline(devices, 10);
    await alerts.evaluate();
    expect((await firing(german)).rows).toMatchObject([{ matching: 2, total: 2 }]);
    const polish = { countries: ['PL'], models: [], labels: {} };
    const reduced = [may(['alerts:manage', 'devices:read'], polish)];
    alerts.owners.set(german.subject, { ...german, grants: reduced });
    await alerts.settle();
    expect((await firing(german)).rows).toEqual([]);
    expect(await listRules(alerts.deps, german)).toMatchObject([{ matching: 0, total: 0 }]);
  });

  test.each([
    ['leaves the portal', undefined],
    ['may no longer have rules', [may(['devices:read'])]],
    ['may no longer view devices', [may(['alerts:manage'])]],
  ])('a rule stops when its owner %s, and continues afterward', async (_, grants) => {
    await alerts.rule(owner, { destinations: [mail] });
    await alerts.setOffline(devices, 10);
    await alerts.evaluate();
    if (grants === undefined) alerts.owners.delete(owner.subject);
    else alerts.owners.set(owner.subject, { ...owner, grants });
    for (let round = 0; round < 2; round += 1) {
      await alerts.evaluate();
      alerts.pass(1);
    }
    expect((await resolved()).rows).toMatchObject([{ reason: 'owner-lost-access' }]);
    expect(await deliveries('resolved')).toBe(1);
    expect(await listRules(alerts.deps, owner)).toMatchObject([{ problem: 'owner', total: null }]);
    alerts.owners.set(owner.subject, owner);
    await alerts.evaluate();
    expect((await firing()).rows).toHaveLength(1);
  });

  test('alerts and rules of others are visible only to users who view all devices', async () => {
    await alerts.rule(owner);
    await alerts.setOffline(devices, 10);
    await alerts.evaluate();
    const read = ['alerts:read', 'devices:read'] as const;
    const all = viewerHolding([may(read)]);
    const some = viewerHolding([may(read, { countries: ['DE'], models: [], labels: {} })]);
    expect((await firing(all)).rows).toHaveLength(1);
    expect((await firing(some)).rows).toEqual([]);
    expect(await listRules(alerts.deps, some)).toEqual([]);
    expect(await listRules(alerts.deps, all)).toMatchObject([{ isOwn: false }]);
  });

  test('a changed condition ends the alert with a message to the earlier destination', async () => {
    const { id } = await alerts.rule(owner, { destinations: [mail] });
    await alerts.setOffline(devices, 10);
    await alerts.evaluate();
    const caller = { ...origin, viewer: owner };
    await changeRule(alerts.deps, caller, { ...offlineRule, id, revision: 1, above: 50 });
    expect((await resolved()).rows).toMatchObject([{ reason: 'rule-changed' }]);
    expect(await deliveries('resolved')).toBe(1);
    await expect(
      changeRule(alerts.deps, caller, { ...offlineRule, id, revision: 1 }),
    ).rejects.toThrow(/changed in the meantime/);
  });

  test('a rule about a list of 10,000 devices counts them, and keeps the list', async () => {
    const count = 10_000;
    await db.database.orm.execute(sql`
      insert into device (id, serial_number, name, country, model, lifecycle, engine, serial_rank, search_text)
      select gen_random_uuid(), 'MANY-' || n, 'many', 'DE', 'M1', 'active', 'agent', 'MANY-' || n, ''
      from generate_series(1, ${count}::int) n`);
    await db.database.orm.execute(sql`
      insert into device_status (device_id, connectivity, connectivity_since, country, model, lifecycle, serial_rank, name)
      select id, 'offline', now() - interval '1 hour', 'DE', 'M1', 'active', serial_number, name
      from device where name = 'many'`);
    const text = Array.from({ length: count }, (_, n) => `MANY-${n + 1}`).join(' ');
    const list = await createTargetList(alerts.deps, owner, { name: 'many', text });
    const filter = { ...offlineRule.filter, targetListId: list.id };
    await alerts.rule(owner, { filter, unit: 'percent', above: 99, resolveAt: 99 });
    await alerts.evaluate();
    expect((await firing()).rows).toMatchObject([{ matching: count, total: count }]);
    await inTransaction(db.database, (tx) => deleteUnusedLists(tx, owner.userId, 1));
    await alerts.settle();
    expect((await firing()).rows).toHaveLength(1);
  });

  test('a rule that cannot be evaluated does not hold up the others', async () => {
    const { id } = await alerts.rule(owner, { name: 'Broken' });
    await alerts.rule(owner, { name: 'Whole' });
    await db.database.orm.execute(sql`
      update alert_rule set filter = jsonb_set(filter, '{tokens}', '[{"key":"area","operator":"=","values":["x"]}]'),
        next_at = next_at - interval '1 hour' where id = ${id}`);
    await alerts.setOffline(devices, 10);
    await alerts.evaluate();
    expect(alerts.errors).toHaveLength(1);
    expect((await firing()).rows).toMatchObject([{ ruleName: 'Whole' }]);
    const [broken] = await listRules(alerts.deps, owner);
    expect(broken).toMatchObject({ name: 'Broken', problem: 'failed' });
  });

  test('two servers and a crash at any statement make one alert and one delivery', async () => {
    for (let statements = 1; statements < 40; statements += 3) {
      await alerts.rule(owner, { name: `Rule ${statements}`, destinations: [mail] });
      await alerts.setOffline(devices, 10);
      const crash = new CrashInjector();
      crash.killAfter(statements);
      await alerts.evaluate(crash.wrap(db.database)).catch((error: unknown) => {
        expect(isKilled(error)).toBe(true);
      });
      alerts.pass(2);
      await Promise.all([alerts.evaluate(), alerts.evaluate()]);
    }
    expect(await alerts.count('alert', 'true')).toBe(13);
    expect(await deliveries('firing')).toBe(13);
  });
});
