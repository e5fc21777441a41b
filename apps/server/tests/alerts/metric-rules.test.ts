import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AlertCondition } from '@deviceportal/contract/alerts';
import type { MetricValues } from '@deviceportal/contract/device-metrics';
import { alertConditionSchema } from '@deviceportal/contract/alerts';
import { listAlerts } from '../../src/alerts/data/alert-queries.ts';
import { listRules } from '../../src/alerts/list-rules.ts';
import { previewRule } from '../../src/alerts/preview-rule.ts';
import { eraseMetrics } from '../../src/device-metrics/data/erase-metrics.ts';
import { rollUpSamples } from '../../src/device-metrics/roll-up-samples.ts';
import { searchBudgets, searchDevices } from '../../src/devices/data/search/search-devices.ts';
import { filterConditions } from '../../src/devices/data/search/filter-conditions.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { samplesOf, store } from '../device-metrics/metrics-fixture.ts';
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
    ...['device', 'device_status', 'device_instance', 'portal_user'],
    ...['device_metric_hour', 'device_metric_pending', 'device_metric_newest', 'device_metric_day'],
    ...['alert', 'alert_rule', 'alert_delivery', 'alert_destination'],
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

const busy: AlertCondition = {
  ...{ kind: 'metric', metric: 'cpuUsedPercent', comparison: 'atLeast', value: 90 },
};
const firing = async () =>
  (await listAlerts(db.database.orm, owner, { state: 'firing', cursor: null, pageSize: 10 })).rows;

/** One sample of some devices, some minutes ago by the clock of the alerts. */
const measure = (deviceIds: readonly string[], values: MetricValues, minutesAgo = 0) => {
  const atMs = alerts.deps.clock().getTime() - minutesAgo * 60_000;
  return store(
    db.database,
    ...deviceIds.map((deviceId) => ({
      deviceId,
      block: samplesOf(Math.floor(atMs / 1_000) * 1_000, 1, () => values),
    })),
  );
};

describe('rules about metrics', () => {
  test('count devices by their newest sample, and active devices only', async () => {
    await alerts.rule(owner, { condition: busy });
    await measure(devices, { cpuUsedPercent: 90 });
    await measure(devices.slice(0, 1), { cpuUsedPercent: 89.9 });
    await alerts.evaluate();
    expect(await firing()).toMatchObject([{ matching: 2, total: 3 }]);
    await measure(devices, { cpuUsedPercent: 10 });
    await alerts.settle();
    expect(await firing()).toEqual([]);
    expect(alerts.errors).toEqual([]);
  });

  test('ignore samples that arrive late, and samples that are old', async () => {
    await alerts.rule(owner, { condition: busy });
    await measure(devices, { cpuUsedPercent: 95 }, 29);
    await alerts.evaluate();
    expect(await firing()).toHaveLength(1);
    await measure(devices, { cpuUsedPercent: 5 }, 120);
    await alerts.evaluate();
    expect(await listRules(alerts.deps, owner)).toMatchObject([{ matching: 3, phase: 'firing' }]);
    alerts.pass(5);
    await alerts.settle();
    expect(await firing()).toEqual([]);
  });

  test('do not count devices that did not measure it', async () => {
    await alerts.rule(owner, {
      condition: { ...busy, metric: 'batteryPercent', comparison: 'atMost', value: 100 },
    });
    await measure(devices, { cpuUsedPercent: 95 });
    await alerts.evaluate();
    expect(await firing()).toEqual([]);
  });

  test('fire after the time for which enough devices must be above', async () => {
    await alerts.rule(owner, { condition: busy, holdMinutes: 5 });
    await measure(devices, { cpuUsedPercent: 95 });
    await alerts.evaluate();
    expect(await firing()).toEqual([]);
    alerts.pass(5);
    await measure(devices, { cpuUsedPercent: 96 });
    await alerts.evaluate();
    expect(await firing()).toHaveLength(1);
  });

  test('of several users are counted together, each within its scope and filter', async () => {
    const german = await alerts.owner({ countries: ['DE'] });
    const none = await alerts.owner({ countries: ['PL'] });
    const labeled = await alerts.owner({ labels: { site: 's1' } });
    await db.database.orm.execute(
      sql`update device set labels = '{"site":"s1"}' where id = ${devices[2] ?? ''}`,
    );
    const french = {
      ...offlineRule.filter,
      tokens: [{ key: 'country' as const, operator: '=' as const, values: ['FR'] }],
    };
    const memory = { ...busy, metric: 'memoryUsedPercent', value: 50 } as const;
    const offline = { kind: 'offline', minutes: 5 } as const;
    for (const condition of [busy, memory, offline]) {
      await alerts.rule(owner, { condition, name: 'all' });
      await alerts.rule(owner, { condition, name: 'french', filter: french });
      await alerts.rule(german, { condition, name: 'german' });
      await alerts.rule(none, { condition, name: 'none' });
      await alerts.rule(labeled, { condition, name: 'labeled' });
    }
    await measure(devices, { cpuUsedPercent: 95, memoryUsedPercent: 60 });
    await alerts.setOffline(devices, 10);
    await alerts.evaluate();
    expect(alerts.errors).toEqual([]);
    const counts = new Map(
      (await listRules(alerts.deps, owner)).map((rule) => [
        `${rule.condition.kind === 'metric' ? rule.condition.metric : 'offline'} ${rule.name}`,
        [rule.matching, rule.total],
      ]),
    );
    for (const condition of ['cpuUsedPercent', 'memoryUsedPercent', 'offline']) {
      expect(counts.get(`${condition} all`)).toEqual([3, 3]);
      expect(counts.get(`${condition} french`)).toEqual([1, 1]);
      expect(counts.get(`${condition} german`)).toEqual([2, 2]);
      expect(counts.get(`${condition} none`)).toEqual([0, 0]);
      expect(counts.get(`${condition} labeled`)).toEqual([1, 1]);
    }
  });

  test('lead to a list of the devices that they counted', async () => {
    await measure(devices.slice(0, 2), { cpuUsedPercent: 95 });
    await measure(devices.slice(2), { cpuUsedPercent: 95 }, 40);
    const filter = {
      ...offlineRule.filter,
      tokens: [
        { key: 'newestMetric' as const, operator: '>=' as const, values: ['cpuUsedPercent:90'] },
      ],
    };
    const now = alerts.deps.clock();
    const { hits } = await searchDevices(db.database.orm, {
      conditions: await filterConditions(db.database.orm, owner, { filter, now }),
      ordering: { sort: 'serialNumber', descending: false, after: null },
      limit: 10,
      budget: searchBudgets.first,
    });
    expect(hits.map(({ id }) => id).toSorted()).toEqual(devices.slice(0, 2).toSorted());
  });

  test('are previewed from the history of the last days', async () => {
    const now = alerts.deps.clock().getTime();
    const dayMs = 86_400_000;
    const start = Math.floor((now - 2 * dayMs) / dayMs) * dayMs;
    for (const deviceId of devices.slice(0, 3)) {
      // An hour above, two days ago, and the present.
      const block = samplesOf(start, 180, (minute) => ({
        cpuUsedPercent: minute >= 60 && minute < 120 ? 95 : 5,
      }));
      await store(db.database, { deviceId, block });
    }
    const rollUp = {
      database: db.database,
      clock: alerts.deps.clock,
      logger: { warn() {}, error() {} },
    };
    while ((await rollUpSamples(rollUp)) > 0);
    await measure(devices, { cpuUsedPercent: 95 });
    const preview = await previewRule(alerts.deps, owner, { ...offlineRule, condition: busy });
    expect(preview.now).toEqual({ matching: 3, total: 3 });
    const past = preview.history?.firings[0];
    const minutesFromStart = (at: string | null | undefined) =>
      Math.round((Date.parse(at ?? '') - start) / 60_000);
    expect(past?.peak).toBe(3);
    expect(Math.abs(minutesFromStart(past?.startedAt) - 60)).toBeLessThanOrEqual(1);
    expect(Math.abs(minutesFromStart(past?.resolvedAt) - 121)).toBeLessThanOrEqual(2);
  });
});

test('an erasure deletes the newest sample of a device', async () => {
  await measure(devices, { cpuUsedPercent: 95 });
  await inTransaction(db.database, (tx) => eraseMetrics(tx, devices.slice(0, 1)));
  expect(await alerts.count('device_metric_newest', 'true')).toBe(3);
});

test.each([
  ['a value that the metric cannot have', { ...busy, value: 101 }],
  ['an unknown metric', { ...busy, metric: 'constructor' }],
  ['no number', { ...busy, value: Number.NaN }],
])('a condition with %s is not accepted', (_, condition) => {
  expect(alertConditionSchema.safeParse(condition).success).toBe(false);
});
