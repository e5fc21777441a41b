import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type RunningAgent } from '@deviceportal/agent/run-agent';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { startElasticMq } from '../../../../packages/aws/tests/parts/start-elasticmq.ts';
import { startMoto } from '../../../../packages/aws/tests/parts/start-moto.ts';
import {
  createTestQueue,
  type TestQueue,
} from '../../../../packages/aws/tests/parts/test-queue.ts';
import { devicePolicyDocument } from '../../src/gateway/iot/device-policy.ts';
import { hasMosquitto } from '../support/brokers/mosquitto.ts';
import { createTestDatabase } from '../support/database/create-test-database.ts';
import { until } from '../support/gateway-fixture.ts';
import { IotCore } from '../support/iot/iot-core.ts';
import { createIotPolicy } from '../support/iot/create-iot-policy.ts';
import { PortalPerson, toldOnce } from '../support/portal-person.ts';
import { serveInstallation, type TestServer } from '../support/start-test-server.ts';

const LIMIT_MS = 180_000;
const POLICY = 'devices-of-the-portal';
const resources = new AsyncDisposableStack();
const isPossible = hasMosquitto && !lacks('moto', 'ElasticMQ');

let core: IotCore;
let queue: TestQueue;
let server: TestServer;
let person: PortalPerson;
let agent: RunningAgent;
let deviceId: string;

beforeAll(async () => {
  if (!isPossible) return;
  const [moto, mq] = await Promise.all([startMoto(), startElasticMq()]);
  resources.use(moto);
  resources.use(mq);
  queue = await createTestQueue(mq);
  const dataDir = await mkdtemp(join(tmpdir(), 'dp-iot-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  core = resources.use(await IotCore.start({ dataDir, moto, queue }));
  const place = { partition: 'aws', region: moto.region, account: '123456789012' };
  await createIotPolicy(moto, { name: POLICY, document: devicePolicyDocument(place) });
  const { url: databaseUrl } = resources.use(await createTestDatabase());
  process.env['AWS_ACCESS_KEY_ID'] = moto.credentials.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = moto.credentials.secretAccessKey;
  server = resources.use(
    await serveInstallation(
      { dataDir, databaseUrl },
      {
        withOwnBroker: false,
        env: {
          DEVICEPORTAL_IOT_POLICY: POLICY,
          DEVICEPORTAL_IOT_ENDPOINT: core.front.endpoint,
          DEVICEPORTAL_IOT_DATA_ENDPOINT: core.front.endpoint,
          DEVICEPORTAL_IOT_CA_FILE: core.broker.access.caFile,
          DEVICEPORTAL_MQTT_DEVICE_URLS: core.broker.access.url,
          DEVICEPORTAL_AUDIT_TRAIL_QUEUE: queue.url,
        },
      },
    ),
  );
  person = await PortalPerson.signIn(server.url);
  agent = await startDevice(await person.createClaim('iot'));
  ({ deviceId } = agent.identity);
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

async function startDevice(claimToken: string): Promise<RunningAgent> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'dp-iot-agent-'));
  resources.defer(() => rm(stateDirectory, { recursive: true, force: true }));
  return resources.use(
    await startAgent({
      stateDirectory,
      serialNumber: 'FAULT-IOT-01',
      log: () => {},
      enrollment: { serverUrl: server.url, claimToken },
      onRestartWanted: () => {},
      timing: { backOffBaseMs: 50, backOffCapMs: 500 },
    }),
  );
}

const device = (): Promise<DeviceDetail> => person.mustAsk('devices.get', { device: deviceId });
const untilConnectivity = (wanted: string): Promise<unknown> =>
  until(async () => (await device()).connectivity === wanted, 60_000);
const setLifecycle = (act: 'suspend' | 'resume'): Promise<unknown> =>
  person.mustOrder(`devices.${act}`, { id: deviceId, reason: 'a test of AWS IoT' });

describe.skipIf(!isPossible)('a device at AWS IoT Core', () => {
  test(
    'is registered at its enrollment, and online by its birth message',
    async () => {
      await untilConnectivity('online');
      const certificate = core.front.certificateOf(deviceId) ?? '';
      expect(await core.front.statusOf(certificate)).toBe('ACTIVE');
      expect(core.front.calls).toContain(`PUT /target-policies/${POLICY}`);
      expect(agent.identity.connection).toMatchObject({
        heartbeatSeconds: 900,
        selfCheckSeconds: 60,
      });
    },
    LIMIT_MS,
  );

  test(
    'receives a command by calls that are throttled at first, and reports each step once',
    async () => {
      core.front.throttled = 2;
      const sent = await person.runShell(deviceId, 'echo by the queue');
      const ended = await person.untilEnded(sent);
      expect(ended.stdout.text).toContain('by the queue');
      expect(core.front.throttled).toBe(0);
      expect(await person.countTold(sent)).toEqual(toldOnce);
      await until(async () => {
        const { waiting, received } = await queue.count();
        return waiting + received === 0;
      }, 60_000);
    },
    LIMIT_MS,
  );

  test(
    'is cut off when it is suspended, and connects again when it is resumed',
    async () => {
      const certificate = core.front.certificateOf(deviceId) ?? '';
      await setLifecycle('suspend');
      await untilConnectivity('offline');
      expect(await core.front.statusOf(certificate)).toBe('INACTIVE');
      expect(core.front.calls).toContain(`DELETE /connections/${deviceId}`);
      expect(agent.agent.isConnected).toBe(false);
      agent.agent.disconnect();
      await setLifecycle('resume');
      await until(async () => (await core.front.statusOf(certificate)) === 'ACTIVE', 30_000);
      await core.restart();
      agent.agent.connect();
      await untilConnectivity('online');
    },
    LIMIT_MS,
  );

  test(
    'is shown truly although its connection events come twice and in any order',
    async () => {
      core.holdEvents();
      agent.agent.disconnect();
      agent.agent.connect();
      await until(() => core.holdEvents().includes('connected'), 30_000);
      agent.agent.disconnect();
      await until(() => core.holdEvents().at(-1) === 'disconnected', 30_000);
      core.releaseEvents();
      await untilConnectivity('offline');
      agent.agent.connect();
      await untilConnectivity('online');
    },
    LIMIT_MS,
  );

  test(
    'is online again by what it sends if its birth message and the event of its connection were lost',
    async () => {
      const sent = await person.runShell(deviceId, 'sleep 30; echo still here');
      await until(async () => (await person.countTold(sent))['command.started'] === 1, 30_000);
      core.loseBeginnings = true;
      agent.agent.disconnect();
      await untilConnectivity('offline');
      agent.agent.connect();
      await until(() => core.lost.has('connected') && core.lost.has('status'), 30_000);
      expect((await device()).connectivity).toBe('offline');
      await untilConnectivity('online');
      core.loseBeginnings = false;
      expect((await person.untilEnded(sent)).stdout.text).toContain('still here');
    },
    LIMIT_MS,
  );

  test(
    'is deleted there with its certificate when it is retired',
    async () => {
      const certificate = core.front.certificateOf(deviceId) ?? '';
      await person.mustOrder('devices.retire', { id: deviceId, reason: 'a test of AWS IoT' });
      await until(async () => (await core.front.statusOf(certificate)) === '', 60_000);
      await until(() => core.front.calls.includes(`DELETE /things/${deviceId}`), 30_000);
      expect(await core.front.hasThing(deviceId)).toBe(false);
      expect((await device()).connectivity).toBe('offline');
    },
    LIMIT_MS,
  );
});
