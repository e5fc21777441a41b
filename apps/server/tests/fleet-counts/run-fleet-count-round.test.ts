import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { everywhere, scopesOf, type Scope } from '@deviceportal/contract/permissions';
import { recordAudit } from '../../src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../../src/audit-trail/sealing/seal-audit-trail.ts';
import { changeLifecycle } from '../../src/devices/change-lifecycle.ts';
import { applyConnects, applyDisconnects } from '../../src/devices/data/apply-connectivity.ts';
import { countFleet } from '../../src/devices/data/list/fleet-count-queries.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { createFleetSummary } from '../../src/devices/list/summarize-fleet.ts';
import { updateDevice } from '../../src/devices/update-device.ts';
import { countByRule, countDevices } from '../../src/findings/data/finding-count-queries.ts';
import { countedFindings, countedStates } from '../../src/fleet-counts/read-fleet-counts.ts';
import { runFleetCountRound } from '../../src/fleet-counts/run-fleet-count-round.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { inTransaction, type Database } from '../../src/platform/database/database.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { administrator, callerOf, limitedTo, viewerWith } from '../devices/viewer-with.ts';
import { sealing } from '../support/audit/audit-signer.ts';
import { CrashInjector, isKilled } from '../support/crash-injector.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const DAY_MS = 86_400_000;
const DEVICES = 8;
const START = Date.now();
let nowMs = START;
let db: TestDatabase;
let ids: readonly string[];
const clock = () => new Date(nowMs);

const scopes: readonly Partial<Scope>[] = [
  { countries: ['PL'], labels: { env: 'prod' } },
  { countries: ['DE'], labels: { env: 'test' } },
  { labels: { env: 'prod', site: 's1' } },
  { models: ['kiosk'] },
];
const reading = (of: readonly Partial<Scope>[]): Viewer =>
  viewerWith(
    of.map((scope) => ({
      permissions: ['devices:read' as const],
      scope: { ...everywhere, ...scope },
    })),
  );
const viewers = [
  administrator,
  ...scopes.map((scope) => reading([scope])),
  reading(scopes.slice(0, 2)),
];

beforeAll(async () => {
  db = await createTestDatabase();
  const created = await createDevices(db, {
    people: [],
    devices: Array.from({ length: DEVICES }, (_, n) => ({
      ...{ serialNumber: `COUNT${n}`, name: `count ${n}`, model: n % 2 === 0 ? 'kiosk' : 'meter' },
      country: n % 3 === 0 ? 'PL' : 'DE',
      labels: { env: n % 2 === 0 ? 'prod' : 'test', site: `s${n % 2}` },
    })),
  });
  ids = [...created.values()];
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(() => setRoles(scopes));

async function setRoles(of: readonly Partial<Scope>[]): Promise<void> {
  await db.database.pool.query("delete from role where name like 'counted%'");
  for (const [at, scope] of of.entries()) {
    await db.database.pool.query(
      `insert into role (id, name, permissions, scope) values ($1, $2, '["devices:read"]', $3)`,
      [newId(), `counted ${at}`, JSON.stringify({ ...everywhere, ...scope })],
    );
  }
}

const deps = () => ({
  ...{ database: db.database, clock, changes: createLocalChangeFeed(() => {}) },
  installCommand: async (token: string) => token,
});

async function settle(database: Database = db.database): Promise<void> {
  await sealAuditTrail(sealing(db));
  while (await runFleetCountRound({ database, clock }));
}

/** When changed roles may start a full count again. */
async function settleLater(): Promise<void> {
  nowMs += 120_000;
  await settle();
}

const at = (n: number): string => ids[n % DEVICES] ?? '';

async function tell(deviceId: string, type: 'device.connected' | 'device.disconnected') {
  const actor = { kind: 'device' as const, id: deviceId, name: 'count', address: null };
  await inTransaction(db.database, (tx) => recordAudit(tx, [{ type, deviceId, actor }]));
}

async function connect(deviceId: string): Promise<void> {
  const row = { connectionId: newId(), instanceId: 'mi-00000000000000000', agentVersion: '1' };
  await inTransaction(db.database, (tx) =>
    applyConnects(tx, [{ ...row, deviceId, at: clock(), ipAddress: null }]),
  );
  await tell(deviceId, 'device.connected');
}

async function disconnect(deviceId: string): Promise<void> {
  const row = { deviceId, connectionId: null, reason: 'connection-lost', at: clock() };
  await inTransaction(db.database, (tx) => applyDisconnects(tx, [row]));
  await tell(deviceId, 'device.disconnected');
}

const change = (id: string, labels: Record<string, string>, country: string) =>
  updateDevice(deps(), callerOf(administrator), { id, labels, country });

const suspendOrResume = (id: string, act: 'suspend' | 'resume') =>
  changeLifecycle(deps(), callerOf(administrator), { id, reason: 'test', act });

const openFinding = (deviceId: string, rule: string, severity: string) =>
  db.database.pool.query(
    `insert into finding (rule, device_id, severity, facts, opened_at) values ($1, $2, $3, '{}', now())
     on conflict (rule, device_id) do update set severity = excluded.severity`,
    [rule, deviceId, severity],
  );

const closeFindings = (deviceId: string) =>
  db.database.pool.query('delete from finding where device_id = $1', [deviceId]);

const changes: readonly ((n: number) => Promise<unknown>)[] = [
  (n) => connect(at(n)),
  (n) => disconnect(at(n)),
  (n) => change(at(n), { env: 'prod', site: `s${n % 3}` }, n % 5 === 0 ? 'DE' : 'PL'),
  (n) => change(at(n), { env: 'test' }, 'DE'),
  (n) => suspendOrResume(at(n), n % 3 === 0 ? 'suspend' : 'resume'),
  (n) => openFinding(at(n), 'disk-nearly-full', n % 2 === 0 ? 'error' : 'warning'),
  (n) => openFinding(at(n), 'unusual-silence', 'warning'),
  (n) => closeFindings(at(n)),
  async (n) => (nowMs += n % 2 === 0 ? DAY_MS + 1_000 : 60_000),
];

interface Numbers {
  readonly states: Readonly<Record<string, number>>;
  readonly findings: Readonly<Record<string, number>>;
}

const numbersOf = <Row extends { readonly n: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + row.n;
  return sums;
};

const stateKey = (row: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(['connectivity', 'lifecycle', 'country', 'model', 'old'].map((key) => row[key]));

/** Counts the devices one by one, with the condition of the scope. */
async function countNow(viewer: Viewer): Promise<Numbers> {
  const on = db.database.orm;
  const scope = scopesOf(viewer.grants, ['devices:read']);
  const states = await countFleet(on, viewer, new Date(nowMs - DAY_MS));
  const any = await countDevices(on, scope);
  return {
    states: numbersOf(
      states.map((row) => ({ ...row, n: row.count })),
      stateKey,
    ),
    findings: {
      ...numbersOf(await countByRule(on, scope), ({ rule, severity }) => `${rule} ${severity}`),
      ...(any > 0 && { ' ': any }),
    },
  };
}

async function readCounters(viewer: Viewer): Promise<Numbers> {
  const [states, findings] = await Promise.all([
    countedStates(deps(), viewer),
    countedFindings(deps(), viewer),
  ]);
  if (states === null || findings === null) throw new Error('the scope is not counted');
  return {
    states: numbersOf(
      states.rows.map((row) => ({ ...row, n: row.count })),
      stateKey,
    ),
    findings: numbersOf(
      findings.rows.map((row) => ({ ...row, n: row.count })),
      ({ rule, severity }) => `${rule} ${severity}`,
    ),
  };
}

async function expectSameNumbers(): Promise<void> {
  for (const viewer of viewers) expect(await readCounters(viewer)).toEqual(await countNow(viewer));
}

/** Runs rounds on servers that are killed after some statements each, until one of them finishes. */
async function settleThroughCrashes(): Promise<void> {
  await sealAuditTrail(sealing(db));
  for (let statements = 1; ; statements += 1) {
    const crash = new CrashInjector();
    crash.killAfter(statements);
    try {
      while (await runFleetCountRound({ database: crash.wrap(db.database), clock }));
      return;
    } catch (error) {
      if (!isKilled(error)) throw error;
    }
  }
}

test('after any changes and crashes, counts are those of the devices in scope', async () => {
  const step = fc.tuple(fc.nat({ max: changes.length - 1 }), fc.nat({ max: 100 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (steps, crashes) => {
        for (const [kind, n] of steps) await changes[kind]?.(n);
        await (crashes ? settleThroughCrashes() : settle());
        await expectSameNumbers();
      },
    ),
    { numRuns: 25 },
  );
});

test('counts devices one by one until the labels of a new role are counted', async () => {
  const viewer = reading([{ labels: { site: 's0' } }]);
  await settle();
  expect(await countedStates(deps(), viewer)).toBeNull();
  await setRoles([...scopes, { labels: { site: 's0' } }]);
  await settleLater();
  expect(await readCounters(viewer)).toEqual(await countNow(viewer));
  await setRoles(scopes);
  await settleLater();
  expect(await countedStates(deps(), viewer)).toBeNull();
  await expectSameNumbers();
});

test('counts all devices once in two minutes, however often labels of roles change', async () => {
  await settleLater();
  const sweepEnd = async (): Promise<unknown> =>
    (await db.database.pool.query('select swept_to, sweep_ended_at from fleet_count_progress'))
      .rows;
  await setRoles([...scopes, { labels: { site: 's0' } }]);
  await settleLater();
  const ended = await sweepEnd();
  for (const n of [1, 2, 3]) {
    nowMs += 20_000;
    await setRoles([...scopes, { labels: { site: `other-${n}` } }]);
    await settle();
    expect(await sweepEnd()).toEqual(ended);
  }
  await expectSameNumbers();
  await settleLater();
  expect(await sweepEnd()).not.toEqual(ended);
  expect(await countedStates(deps(), reading([{ labels: { site: 'other-3' } }]))).not.toBeNull();
  await setRoles(scopes);
  await settleLater();
});

test('counts devices one by one while the counters are not current', async () => {
  await settle();
  expect(await countedStates(deps(), administrator)).not.toBeNull();
  nowMs += 31_000;
  expect(await countedStates(deps(), administrator)).toBeNull();
});

test('counts no device twice for roles whose scopes overlap', async () => {
  await settle();
  const viewer = reading([
    { countries: ['PL'], labels: { env: 'prod' } },
    { labels: { site: 's1' } },
  ]);
  expect(await countedStates(deps(), viewer)).toBeNull();
  const { total } = await createFleetSummary(deps())(viewer);
  const all = await createFleetSummary(deps())(administrator);
  expect(total).toBeLessThanOrEqual(all.total);
});

test('shows as the time of the counts the moment up to which all changes are counted', async () => {
  await settle();
  const countedAt = nowMs;
  nowMs += 5_000;
  const { asOf } = await createFleetSummary(deps())(
    limitedTo({ countries: ['PL'], labels: { env: 'prod' } }, ['devices:read']),
  );
  expect(Date.parse(asOf)).toBe(countedAt);
});
