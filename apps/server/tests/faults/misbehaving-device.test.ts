import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { upTopic } from '@deviceportal/device-protocol/topics';
import { until } from '../support/gateway-fixture.ts';
import { PortalPerson, toldOnce } from '../support/portal-person.ts';
import {
  PortalPrograms,
  type AgentIdentity,
  type AgentProgram,
} from '../support/programs/portal-programs.ts';

const LIMIT_MS = 60_000;
const resources = new AsyncDisposableStack();
let portal: PortalPrograms;
let admin: PortalPerson;
let agent: AgentProgram;
let deviceId: string;

beforeAll(async () => {
  portal = resources.use(await PortalPrograms.prepare());
  await portal.startServer();
  admin = await PortalPerson.signIn(portal.url);
  agent = portal.startAgent('rogue', await admin.createClaim('rogue'));
  deviceId = await admin.untilOnline(agent);
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

const run = (target: string) =>
  admin.order('commands.run', {
    command: 'shell',
    target: { kind: 'devices', deviceIds: [target] },
    parameters: { script: 'echo no' },
    idempotencyKey: newId(),
  });

test('rejects a command with an invalid parameter with 2004 and the name of the parameter', async () => {
  const answer = await admin.order('commands.run', {
    command: 'shell',
    target: { kind: 'devices', deviceIds: [deviceId] },
    parameters: { script: '' },
    idempotencyKey: newId(),
  });
  expect(answer.code).toBe(2004);
  expect(answer.issues).toMatchObject([{ path: ['parameters', 'script'] }]);
});

test('rejects a command for an unknown device with 6000', async () => {
  expect((await run(newId())).code).toBe(6000);
});

test(
  "disconnects a device that publishes for another, records it, and keeps the other's trail clean",
  async () => {
    const identity = await agent.identity();
    await agent.program.end('SIGKILL');
    const victim = newId();
    const client = await connectAs(identity);
    client.publish(upTopic(victim, 'journal'), '{}', { qos: 1 }, () => {});
    await until(() => !client.connected);
    const [refused] = await until(async () => {
      const found = await admin.auditTrail({ deviceId, types: ['device.refused'] });
      return found.length > 0 && found;
    });
    expect(refused).toMatchObject({
      actor: { kind: 'device', id: deviceId },
      data: { reason: 'foreign-topic' },
    });
    expect(await admin.auditTrail({ deviceId: victim })).toEqual([]);
    agent.program.start();
    await admin.untilOnline(agent);
  },
  LIMIT_MS,
);

test(
  'sends no commands to a suspended device and disconnects it, until it is resumed',
  async () => {
    expect((await admin.order('devices.suspend', { id: deviceId, reason: 'test' })).status).toBe(
      200,
    );
    const refused = await run(deviceId);
    expect(refused.code).toBe(2004);
    expect(refused.issues).toMatchObject([{ path: ['target'] }]);
    await until(async () => {
      const { data } = await admin.ask('devices.get', { device: deviceId });
      return (data as { connectivity: string }).connectivity !== 'online';
    });
    await admin.order('devices.resume', { id: deviceId });
    await admin.untilOnline(agent);
    const sent = await admin.runShell(deviceId, 'echo back');
    expect(await admin.untilEnded(sent)).toMatchObject({ state: 'Success' });
    expect(await admin.countTold(sent)).toEqual(toldOnce);
  },
  LIMIT_MS,
);

/** With the device's own certificate, as a thief could. */
async function connectAs(identity: AgentIdentity): Promise<MqttClient> {
  const client = await mqtt.connectAsync(identity.brokerUrl, {
    protocolVersion: 4,
    clientId: identity.deviceId,
    reconnectPeriod: 0,
    ca: identity.authorities,
    cert: identity.certificate,
    key: identity.privateKey,
  });
  client.on('error', () => {});
  return client;
}
