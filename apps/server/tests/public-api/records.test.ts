import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { SavedAlertRule } from '@deviceportal/contract/alerts';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { ApiTokenClient } from '../api-tokens/api-token-client.ts';
import { HOUR_MS, samplesOf, store } from '../device-metrics/metrics-fixture.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { seedDevices } from '../support/command-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

const permissions = ['devices:read', 'alerts:read', 'audit-trail:read'];

let portal: TestServer;
let database: Database;
let admin: AccessFixture;
let everywhere: ApiTokenClient;
let inGermany: ApiTokenClient;

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
  const scope = { countries: ['DE'], models: [], labels: {} };
  everywhere = await ApiTokenClient.personal(portal.url, admin, { permissions });
  inGermany = await ApiTokenClient.personal(portal.url, admin, { permissions, scope });
  await seedDevices(database, [
    { serialNumber: 'REC-DE', name: 'till', country: 'DE', connectivity: 'offline' },
    { serialNumber: 'REC-FR', name: 'till', country: 'FR', connectivity: 'offline' },
  ]);
  await database.pool.query(
    "update device_status set connectivity_since = now() - interval '1 hour'",
  );
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

type Device = OperationOutput<'getDevice'>;
type Metrics = OperationOutput<'getDeviceMetrics'>;
type Alerts = OperationOutput<'listAlerts'>;
type Events = OperationOutput<'listAuditEvents'>;

const idOf = async (serialNumber: string): Promise<string> =>
  (await everywhere.get<Device>(`/devices/${serialNumber}`)).body.id;

describe('metrics', () => {
  beforeAll(async () => {
    const from = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS;
    for (const serialNumber of ['REC-DE', 'REC-FR'])
      await store(database, {
        deviceId: await idOf(serialNumber),
        block: samplesOf(from, 60, (index) => ({ cpuUsedPercent: index, diskUsedPercent: 50 })),
      });
  });

  test('of the last day are read by serial number, with units', async () => {
    const { body } = await everywhere.get<Metrics>(
      '/devices/rec-de/metrics?metric=cpuUsedPercent&points=100',
    );
    const [series, ...others] = body.series;
    expect(others).toEqual([]);
    expect(series).toMatchObject({ metric: 'cpuUsedPercent', unit: 'percent' });
    expect(series?.mean).toHaveLength(body.times.length);
    expect(Math.max(...(series?.max ?? []).map(Number))).toBe(59);
  });

  test('of a device out of scope do not exist', async () => {
    expect(await inGermany.get('/devices/REC-FR/metrics')).toMatchObject({
      ...{ status: 404, error: { code: 6000 } },
    });
  });

  test.each([
    ['a metric that does not exist', 'metric=mood', 'metric'],
    ['an end before the start', 'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z', 'to'],
    ['too many points', 'points=100000', 'points'],
  ])('%s is rejected with its field', async (_what, query, field) => {
    const { status, error } = await everywhere.get(`/devices/REC-DE/metrics?${query}`);
    expect({ status, field: error?.issues[0]?.path[0] }).toEqual({ status: 400, field });
  });
});

describe('alerts', () => {
  test('are listed to a token for all devices', async () => {
    const rule = await admin.done<SavedAlertRule>('alerts.createRule', {
      ...{ name: 'tills', severity: 'warning', enabled: true, destinations: [] },
      ...{ filter: { text: '', tokens: [] }, condition: { kind: 'offline', minutes: 1 } },
      ...{ unit: 'devices', above: 0, resolveAt: 0, holdMinutes: 0, resolveMinutes: 5 },
    });
    const firing = async () => (await everywhere.get<Alerts>('/alerts')).body.items;
    await expect
      .poll(firing, { timeout: 60_000 })
      .toMatchObject([{ rule: { id: rule.id, name: 'tills' }, severity: 'warning', total: 2 }]);
    expect((await everywhere.get<Alerts>('/alerts?state=resolved')).body.items).toEqual([]);
  });
});

describe('events of the audit trail', () => {
  test('are only those of devices in scope', async () => {
    for (const serialNumber of ['REC-DE', 'REC-FR'])
      await admin.done('devices.addNote', { deviceId: await idOf(serialNumber), text: 'checked' });
    const path = '/audit-events?type=device.note-added';
    const all = await everywhere.get<Events>(path);
    const some = await inGermany.get<Events>(path);
    expect(all.body.items.map(({ device }) => device?.serialNumber)).toEqual(['REC-FR', 'REC-DE']);
    expect(some.body.items.map(({ device }) => device?.serialNumber)).toEqual(['REC-DE']);
    expect(await inGermany.get(`${path}&device=REC-FR`)).toMatchObject({
      ...{ status: 404, error: { reason: 'devices-not-found' } },
    });
  });

  test('are read page by page, and by start of type', async () => {
    const first = await everywhere.get<Events>('/audit-events?type=device.*&pageSize=1');
    expect(first).toMatchObject({
      status: 200,
      body: { items: [{ type: expect.stringMatching(/^device\./) }] },
    });
    const next = await everywhere.get<Events>(
      `/audit-events?type=device.*&pageSize=1&cursor=${encodeURIComponent(first.body.nextCursor ?? '')}`,
    );
    expect(next.body.items[0]?.id).not.toBe(first.body.items[0]?.id);
  });
});

test.each(['/alerts', '/audit-events', '/devices/REC-DE/metrics'])(
  '%s is rejected for a token without its permission',
  async (path) => {
    const client = await ApiTokenClient.personal(portal.url, admin, {
      permissions: ['commands:read'],
    });
    expect(await client.get(path)).toMatchObject({ status: 403, error: { code: 1000 } });
  },
);
