import { afterAll, beforeAll, expect, test } from 'vitest';
import { getDevice } from '../../src/devices/get-device.ts';
import { viewerWith } from '../support/command-fixture.ts';
import { rowsOf } from '../support/gateway-fixture.ts';
import { NEW_AGENT, openRunCommandFixture, type RunCommandFixture } from './run-command-fixture.ts';
import type { SmallInstance } from './small-ssm.ts';

const tags = { Portal: 'yes' };
const instance = (id: string, more: Partial<SmallInstance> = {}): SmallInstance => ({
  ...{ id, isOnline: true, agentVersion: NEW_AGENT, tags },
  ...more,
});

let fixture: RunCommandFixture;
beforeAll(async () => {
  fixture = await openRunCommandFixture(
    [
      instance('i-0001'),
      instance('i-0002', { isOnline: false }),
      instance('mi-0003', {
        name: 'kiosk 3',
        tags: { ...tags, Country: 'de', 'aws:createdBy': 'x', floor: '2' },
      }),
      instance('i-0004', { tags: {} }),
    ],
    { tags },
  );
  await fixture.sync();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const deviceOf = async (id: string) =>
  getDevice(
    { database: fixture.database, clock: () => new Date() },
    viewerWith('Administrator'),
    await fixture.deviceOf(id),
  );

const auditOf = async (deviceId: string): Promise<string[]> => {
  const text = 'select type from audit_event where device_id = $1 order by id';
  return (await rowsOf<{ type: string }>(fixture.database, text, [deviceId])).map(
    ({ type }) => type,
  );
};

test('managed instances with the tags appear as active devices without a certificate', async () => {
  const device = await deviceOf('i-0001');
  expect(device).toMatchObject({
    name: 'i-0001.internal',
    engine: 'ssm',
    lifecycle: 'active',
    connectivity: 'online',
    serialNumber: null,
    labels: tags,
    instanceId: 'i-0001',
    agentVersion: NEW_AGENT,
    platform: 'Linux',
  });
  expect(device.instances).toMatchObject([
    { id: 'i-0001', platformName: 'Amazon Linux', ipAddress: '10.0.0.7' },
  ]);
  expect(await auditOf(device.id)).toEqual([
    'device.created',
    'device.enrolled',
    'device.connected',
  ]);
  expect(await fixture.deviceOf('i-0004')).toBe('');
});

test('a hybrid node has its name, its country, and its tags as labels', async () => {
  expect(await deviceOf('mi-0003')).toMatchObject({
    name: 'kiosk 3',
    country: 'DE',
    labels: { ...tags, Country: 'de', floor: '2' },
  });
});

test('connectivity is that of Systems Manager, and a vanished instance is offline', async () => {
  const [first, second] = fixture.ssm.instances;
  if (!first || !second) throw new Error('no instances');
  expect((await deviceOf('i-0002')).connectivity).toBe('never');
  first.isOnline = false;
  second.isOnline = true;
  await fixture.sync();
  const lost = { connectivity: 'offline', disconnectReason: 'connection-lost' };
  expect(await deviceOf('i-0001')).toMatchObject(lost);
  expect((await deviceOf('i-0002')).connectivity).toBe('online');
  fixture.ssm.instances.splice(1, 1);
  await fixture.sync();
  expect(await deviceOf('i-0002')).toMatchObject({
    lifecycle: 'active',
    connectivity: 'offline',
    disconnectReason: 'not-managed',
  });
  fixture.ssm.instances.push(second);
  await fixture.sync();
  expect((await deviceOf('i-0002')).connectivity).toBe('online');
});

test('an instance that was not listed for 30 days is retired', async () => {
  const deviceId = await fixture.deviceOf('i-0002');
  fixture.ssm.instances.splice(
    fixture.ssm.instances.findIndex(({ id }) => id === 'i-0002'),
    1,
  );
  await fixture.database.pool.query(
    `update managed_instance set listed_at = now() - interval '31 days' where device_id = $1`,
    [deviceId],
  );
  await fixture.sync();
  await fixture.sync();
  expect((await deviceOf('i-0002')).lifecycle).toBe('retired');
  expect((await auditOf(deviceId)).filter((type) => type === 'device.retired')).toHaveLength(1);
});
