import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAgent, type RunningAgent } from '../src/run-agent.ts';
import { readIdentity, writeIdentity, type Identity } from '../src/store/identity-file.ts';
import { startTestGateway, type TestGateway } from './support/test-gateway.ts';

let resources: AsyncDisposableStack;
let gateways: readonly [TestGateway, TestGateway];
let directory: string;
let identity: Identity;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  directory = await mkdtemp(join(tmpdir(), 'brokers-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  const first = await startTestGateway();
  gateways = [first, await startTestGateway(first.authority)];
  for (const gateway of gateways) resources.use(gateway);
  identity = await first.createIdentity();
});
afterEach(() => resources.disposeAsync());

async function start(stored: Identity = identity): Promise<RunningAgent> {
  await writeIdentity(directory, stored);
  return resources.use(
    await startAgent({
      stateDirectory: directory,
      serialNumber: 'TEST-0001',
      log: () => {},
      enrollment: null,
      onRestartWanted: () => {},
      timing: { backOffBaseMs: 20, backOffCapMs: 100, heartbeatMs: 100 },
    }),
  );
}

const connectionOf = (...brokers: readonly TestGateway[]) => ({
  revision: 'second',
  brokerUrls: brokers.map(({ brokerUrl }) => brokerUrl),
  subscriptionQos: 0 as const,
  heartbeatSeconds: 60,
});
const online = ({ statuses }: TestGateway) =>
  statuses.some(({ status }) => status.state === 'online');
const events = (gateway: TestGateway) =>
  gateway
    .entries(identity.deviceId)
    .flatMap((entry) => (entry.kind === 'event' ? [entry.type] : []));

test('moves to another broker when its own dies, and loses no journal entry', async () => {
  const { agent } = await start({ ...identity, connection: connectionOf(...gateways) });
  const [own, other] = await gateways[0].until(() => {
    if (online(gateways[0])) return gateways;
    return online(gateways[1]) && ([gateways[1], gateways[0]] as const);
  });
  await own.until(() => events(own).includes('agent-started'));
  own.acknowledging = false;
  agent.event('before');
  await own.until(() =>
    own.received.some(({ entries }) => JSON.stringify(entries).includes('before')),
  );
  await own[Symbol.asyncDispose]();
  agent.event('meanwhile');
  await other.until(() => events(other).includes('meanwhile'));
  const told = events(other).filter((type) => type === 'before' || type === 'meanwhile');
  expect(told).toEqual(['before', 'meanwhile']);
});

test('an agent enrolled by an earlier release learns the other brokers from a message', async () => {
  const [first, second] = gateways;
  await start();
  await first.until(() =>
    first.heartbeats.some(({ heartbeat }) => heartbeat.connectionRevision === ''),
  );
  first.send(identity.deviceId, 'connection', connectionOf(second));
  await first.until(() =>
    first.heartbeats.some(({ heartbeat }) => heartbeat.connectionRevision === 'second'),
  );
  first.dropConnections();
  await second.until(() => online(second));
  // The agent does not wait for its disk before it reports.
  await expect
    .poll(() => readIdentity(directory))
    .toMatchObject({ connection: connectionOf(second), brokerUrl: second.brokerUrl });
});

test('brokers that cannot be reached do not cut a device off', async () => {
  const [first] = gateways;
  const unreachable = { ...connectionOf(first), brokerUrls: ['mqtts://127.0.0.1:9'] };
  await start({ ...identity, connection: unreachable });
  await first.until(() => online(first));
  expect((await readIdentity(directory))?.brokerUrl).toBe(first.brokerUrl);
});

test('is not sent to a broker without TLS', async () => {
  const [first] = gateways;
  await start();
  await first.until(() => online(first));
  first.send(identity.deviceId, 'connection', {
    ...connectionOf(first),
    brokerUrls: ['mqtt://127.0.0.1:1883'],
  });
  const seen = first.heartbeats.length;
  await first.until(() => first.heartbeats.length > seen + 3);
  expect(first.heartbeats.at(-1)?.heartbeat.connectionRevision).toBe('');
});
