import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import { listAlerts } from '../../src/alerts/data/alert-queries.ts';
import { openCase } from '../../src/cases/open-case.ts';
import { findActiveCaseId } from '../../src/cases/data/case-worker-queries.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { callerIn, entriesOf, seedPerson, type SeededPerson } from '../cases/case-fixture.ts';
import { createParameterVault } from '../../src/commands/parameters/parameter-vault.ts';
import { may } from '../support/command-fixture.ts';
import { CrashInjector, isKilled } from '../support/crash-injector.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { AlertsFixture } from './alerts-fixture.ts';

let db: TestDatabase;
let alerts: AlertsFixture;
let ana: SeededPerson;
let bo: SeededPerson;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const table of [
    ...['device', 'device_status', 'device_instance', 'person', 'portal_user'],
    ...['alert', 'alert_rule', 'alert_delivery', 'alert_destination'],
  ]) {
    await db.database.pool.query(`delete from ${table}`);
  }
  await db.owner.orm.execute(sql`truncate support_case, case_worker, case_entry`);
  alerts = new AlertsFixture(db.database);
  ana = await seedPerson(db.database, 'Ana', ['DE', 'DE']);
  bo = await seedPerson(db.database, 'Bo', ['FR']);
});

const permissions: readonly Permission[] = [
  ...(['alerts:manage', 'devices:read', 'cases:manage', 'cases:read', 'people:read'] as const),
];
const everywhere: Scope = { countries: [], models: [], labels: {} };

/** A user with the permissions of alerts and of cases, each within a scope. */
async function supporter(cases: Scope = everywhere): Promise<Viewer> {
  const viewer = await alerts.owner();
  return change(viewer, [may(permissions.slice(0, 2)), may(permissions.slice(2), cases)]);
}

function change(viewer: Viewer, grants: Viewer['grants']): Viewer {
  const changed = { ...viewer, grants };
  alerts.owners.set(viewer.subject, changed);
  return changed;
}

const caseDeps = () => ({
  database: db.database,
  clock: alerts.deps.clock,
  changes: createLocalChangeFeed(() => {}),
  vault: createParameterVault(new Uint8Array(32)),
});
const alertOf = async (viewer: Viewer) =>
  (await listAlerts(db.database.orm, viewer, { state: 'firing', cursor: null, pageSize: 1 }))
    .rows[0];
const all = () => [...ana.deviceIds, ...bo.deviceIds];

async function fire(): Promise<void> {
  await alerts.setOffline(all(), 10);
  await alerts.evaluate();
}

describe('a rule that opens cases', () => {
  test('opens one for each person, with the alert, its devices, and an audit event', async () => {
    const owner = await supporter();
    await alerts.rule(owner, { opensCase: true });
    const before = await alerts.count('audit_event', `type = 'case.opened'`);
    await fire();
    expect(alerts.errors).toEqual([]);
    const alert = await alertOf(owner);
    expect(alert?.caseIds).toHaveLength(2);
    expect(await alerts.count('support_case', `about = 'Offline lockers'`)).toBe(2);
    expect(await alerts.count('audit_event', `type = 'case.opened'`)).toBe(before + 2);
    const entries = await Promise.all(
      (alert?.caseIds ?? []).map((id) => entriesOf(caseDeps(), owner, id)),
    );
    const devices = entries.flat().flatMap(({ deviceId }) => deviceId ?? []);
    expect(devices.toSorted()).toEqual(all().toSorted());
    expect(entries.flat().filter(({ kind }) => kind === 'act')).toMatchObject(
      devices.map(() => ({ data: { type: 'alert.fired', alertId: alert?.id } })),
    );
  });

  test('continues in a case that its owner has open, and in that of an earlier alert', async () => {
    const owner = await supporter();
    const open = await openCase(caseDeps(), callerIn(owner), {
      ...{ personId: ana.id, ticket: 'T-1', about: '', priority: 'low', queue: '', dueAt: null },
    });
    const working = await findActiveCaseId(db.database.orm, owner.userId);
    await alerts.rule(owner, { opensCase: true });
    await fire();
    expect((await alertOf(owner))?.caseIds).toContain(open.id);
    await alerts.setOnline(all());
    await alerts.settle();
    await fire();
    expect(await alerts.count('support_case', 'true')).toBe(2);
    // What the owner does next still belongs to the case on their screen.
    expect(await findActiveCaseId(db.database.orm, owner.userId)).toBe(working);
  });

  test('records its end in the cases that are still there, with its time, its reason, and an audit event', async () => {
    const owner = await supporter();
    await alerts.rule(owner, { opensCase: true });
    await fire();
    const alert = await alertOf(owner);
    const [kept = '', deleted = ''] = alert?.caseIds ?? [];
    await db.owner.orm.execute(sql`delete from case_worker where case_id = ${deleted}`);
    await db.owner.orm.execute(sql`delete from case_entry where case_id = ${deleted}`);
    await db.owner.orm.execute(sql`delete from support_case where id = ${deleted}`);
    await alerts.setOnline(all());
    await alerts.settle();
    const ends = (await entriesOf(caseDeps(), owner, kept)).filter(
      ({ data }) => data['type'] === 'alert.resolved',
    );
    expect(ends).toMatchObject([
      { kind: 'act', data: { alertId: alert?.id, rule: 'Offline lockers', reason: 'recovered' } },
    ]);
    const { rows } = await db.database.pool.query(
      `select a.data, a.case_id as "caseId", e.at = r.resolved_at as "isSameTime"
       from audit_event a, alert r, case_entry e
       where a.type = 'case.alert-resolved' and r.id = $1 and e.id = $2
         and a.data->>'alertId' = r.id::text`,
      [alert?.id, ends[0]?.id],
    );
    expect(rows).toEqual([
      {
        ...{ caseId: kept, isSameTime: true },
        data: { caseId: kept, alertId: alert?.id, rule: 'Offline lockers', reason: 'recovered' },
      },
    ]);
  });

  test('cannot be saved by a user who may not open cases', async () => {
    const owner = await alerts.owner();
    await expect(alerts.rule(owner, { opensCase: true })).rejects.toMatchObject({
      reason: 'alert-case-not-permitted',
    });
  });

  test('opens none after its owner lost the permission, and fires', async () => {
    const owner = await supporter();
    await alerts.rule(owner, { opensCase: true });
    change(owner, [may(permissions.slice(0, 2))]);
    await fire();
    expect((await alertOf(owner))?.caseIds).toEqual([]);
    expect(await alerts.count('support_case', 'true')).toBe(0);
  });

  test('opens none for people outside the scope of its owner', async () => {
    const owner = await supporter({ ...everywhere, countries: ['FR'] });
    await alerts.rule(owner, { opensCase: true });
    await fire();
    expect(await alerts.count('support_case', `person_id = '${bo.id}'`)).toBe(1);
    expect(await alerts.count('support_case', 'true')).toBe(1);
  });

  test('opens at most five cases for one alert', async () => {
    for (let n = 0; n < 6; n += 1) await seedPerson(db.database, `Person ${n}`);
    const owner = await supporter();
    await alerts.rule(owner, { opensCase: true });
    await db.database.pool.query(
      `update device_status set connectivity = 'offline', connectivity_since = now() - interval '1 hour'`,
    );
    await alerts.evaluate();
    expect((await alertOf(owner))?.caseIds).toHaveLength(5);
  });

  test('opens each case once when a server is killed at any statement', async () => {
    const owner = await supporter();
    for (let statements = 4; statements < 44; statements += 4) {
      await alerts.rule(owner, { opensCase: true, name: `Rule ${statements}` });
      await alerts.setOffline(all(), 10);
      const crash = new CrashInjector();
      crash.killAfter(statements);
      await alerts.evaluate(crash.wrap(db.database)).catch((error: unknown) => {
        expect(isKilled(error)).toBe(true);
      });
      alerts.pass(2);
      await alerts.evaluate();
    }
    expect(await alerts.count('support_case', 'true')).toBe(2);
    const entries = await alerts.count('case_entry', `kind = 'act'`);
    expect(entries).toBe(10 * all().length);
  });
});
