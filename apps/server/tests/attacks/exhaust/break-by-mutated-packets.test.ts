import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { generate, type Packet } from 'mqtt-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedClaim } from '@deviceportal/contract/devices';
import type { JournalDraft } from '@deviceportal/device-protocol/journal';
import { downFilter, upChannels, upTopic } from '@deviceportal/device-protocol/topics';
import { enrollMachineAt } from '../../support/enrolling-machine.ts';
import { mutateBytes } from '../../support/exchanges/mutate-text.ts';
import {
  livePackets,
  openLiveDoor,
  sendLivePackets,
} from '../../support/exchanges/send-live-packets.ts';
import { heapAfterCollection } from '../../support/exchanges/heap-after-collection.ts';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  quietLogger,
  seedRun,
  until,
  type EnrolledDevice,
  type GatewayFixture,
} from '../../support/gateway-fixture.ts';
import { LiveClient } from '../../support/live-client.ts';
import { oddValue, withOddity } from '../../support/odd-values.ts';
import { mutate } from '../../support/portal-api.ts';
import { startTestServer } from '../../support/start-test-server.ts';
import { isThorough } from '../../support/is-thorough.ts';

const CONNECTIONS = isThorough ? 1_200 : 60;
const PACKETS_EACH = 5;
/** Limits of the connections and messages of one device. */
const CONNECTIONS_OF_A_DEVICE = 25;
const DEVICES = isThorough ? 6 : 1;
const MESSAGES_EACH = isThorough ? 1_500 : 300;
const REPORTING_DEVICES = isThorough ? 200 : 10;
const STATUSES_OF_A_DEVICE = 4;
const MIB = 1024 * 1024;

const faults: unknown[] = [];
const noteFault = (error: unknown): void => void faults.push(error);

let setup: GatewayFixture;
beforeAll(async () => {
  process.on('unhandledRejection', noteFault);
  setup = await openGatewayFixture({
    logger: { ...quietLogger, error: (...said) => faults.push(said) },
  });
});
afterAll(async () => {
  process.off('unhandledRejection', noteFault);
  await setup[Symbol.asyncDispose]();
});

/** Checks that the portal still works with a device. */
async function work(): Promise<void> {
  await using device = await connectDevice(setup, await enrollTestDevice(setup));
  await device.journal({ kind: 'event', type: 'tick', data: {} });
  await until(() => device.ackedUpTo > 0);
}

async function openRaw(device: EnrolledDevice): Promise<TLSSocket> {
  const socket = connectTls({
    ...{ host: '127.0.0.1', port: setup.broker.tlsPort ?? 0, ca: setup.authority.authorities },
    ...{ cert: device.certificate, key: device.key },
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

function packetsOf({ deviceId, instanceId }: EnrolledDevice): readonly Packet[] {
  const will = { topic: upTopic(deviceId, 'status'), payload: Buffer.from('{}'), qos: 1 as const };
  const publish = { cmd: 'publish', retain: false, dup: false } as const;
  const journal = JSON.stringify({ instanceId, epoch: 'x', entries: [] });
  return [
    ...upChannels.map((channel): Packet => ({
      ...publish,
      ...{ topic: upTopic(deviceId, channel), payload: journal, qos: 1, messageId: 7 },
    })),
    { ...publish, topic: upTopic(deviceId, 'heartbeat'), payload: '{}', qos: 0 },
    { ...publish, topic: upTopic(deviceId, 'journal'), payload: journal, qos: 2, messageId: 8 },
    { cmd: 'subscribe', messageId: 2, subscriptions: [{ topic: downFilter(deviceId), qos: 1 }] },
    { cmd: 'unsubscribe', messageId: 3, unsubscriptions: [downFilter(deviceId)] },
    { cmd: 'pubrel', messageId: 8 },
    { cmd: 'puback', messageId: 9 },
    { cmd: 'pingreq' },
    {
      ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: false, keepalive: 60 },
      ...{ clientId: deviceId, username: 'x', password: Buffer.from('x'), will },
    },
    { cmd: 'disconnect' },
  ];
}

test(
  'a device cannot make the broker fail by malformed packets',
  async () => {
    let device = await enrollTestDevice(setup);
    let before = 0;
    for (let count = 0; count < CONNECTIONS; count += 1) {
      if (count % CONNECTIONS_OF_A_DEVICE === 0) device = await enrollTestDevice(setup);
      const packets = packetsOf(device).map((packet) => generate(packet));
      const mutated = fc.constantFrom(...packets).chain(mutateBytes);
      const sent = fc.sample(mutated, PACKETS_EACH);
      const socket = await openRaw(device);
      const { deviceId: clientId } = device;
      const connect = { cmd: 'connect', protocolId: 'MQTT', clientId, clean: true } as const;
      // Sometimes the first packet is malformed, too.
      if (count % 4 > 0) socket.write(generate({ ...connect, keepalive: 60 }));
      const closed = new Promise((resolve) => {
        socket.once('close', resolve);
      });
      socket.end(Buffer.concat(sent));
      socket.resume();
      await closed;
      if (count === Math.floor(CONNECTIONS / 3)) before = heapAfterCollection();
    }
    await work();
    expect(faults).toEqual([]);
    expect(heapAfterCollection() - before).toBeLessThan(64 * MIB);
  },
  isThorough ? 300_000 : 60_000,
);

const drafts = (invocationId: string): readonly JournalDraft[] => {
  const at = new Date().toISOString();
  return [
    { kind: 'event', type: 'service-crashed', data: { service: 'player', count: 3 } },
    {
      ...{
        kind: 'inventory',
        platformType: 'Linux',
        platformName: 'Debian',
        platformVersion: '12',
      },
      ...{ architecture: 'x64', agentVersion: '1.0.0', hostName: 'box', ipAddress: '192.0.2.1' },
      ...{ serialNumber: 'S1', model: 'kiosk', hardwareRevision: 'A', timeZone: 'Europe/Berlin' },
      details: { cpu: 'x', disks: [{ name: 'a', bytes: 7 }] },
    },
    { kind: 'software', components: [{ component: 'player', version: '1.0.0' }] },
    {
      ...{ kind: 'packages', report: randomUUID(), after: null, upTo: null },
      packages: [{ name: 'bash', version: '5.2' }],
    },
    { kind: 'position', latitude: 52.5, longitude: 13.4, accuracyMeters: 10, source: 'gps' },
    { kind: 'invocation-started', invocationId },
    { kind: 'invocation-output', invocationId, stream: 'stdout', offset: 0, text: 'output' },
    {
      ...{
        kind: 'invocation-step',
        invocationId,
        index: 0,
        name: 'a',
        action: 'aws:runShellScript',
      },
      ...{ state: 'Success', exitCode: 0, startedAt: at, endedAt: at, reason: null },
    },
    { kind: 'invocation-artefact', invocationId, name: 'a.gz', bytes: 7, sha256: '0'.repeat(64) },
    {
      ...{ kind: 'invocation-result', invocationId, state: 'Success', statusDetails: 'Success' },
      ...{ responseCode: 0, startedAt: at, endedAt: at, outputTruncated: false },
    },
  ];
};

test(
  'a device cannot make the gateway fail by the content of its messages',
  async () => {
    for (let count = 0; count < DEVICES; count += 1) {
      const enrolled = await enrollTestDevice(setup);
      const { invocationIds } = await seedRun(setup.database, { deviceIds: [enrolled.deviceId] });
      await using device = await connectDevice(setup, enrolled);
      const { instanceId, epoch } = device;
      const entries = device.number(drafts(invocationIds[0] ?? ''));
      const messages = [
        ...entries.map((entry) => ['journal', { instanceId, epoch, entries: [entry] }] as const),
        ['journal', { instanceId, epoch, entries }] as const,
        [
          'heartbeat',
          {
            ...{ instanceId, at: new Date().toISOString(), diskUsedPercent: 7 },
            ...{
              failing: [{ part: 'disk', fact: 'full' }],
              memoryUsedPercent: 8,
              uptimeSeconds: 9,
            },
          },
        ] as const,
      ];
      const odd = fc
        .constantFrom(...messages)
        .chain(([channel, body]) => fc.tuple(fc.constantFrom(channel), withOddity(body, oddValue)));
      const said = fc
        .sample(odd, MESSAGES_EACH)
        .map(([channel, body]) => device.say(channel, JSON.stringify(body) ?? ''));
      await Promise.all(said);
    }
    await work();
    expect(faults).toEqual([]);
  },
  isThorough ? 300_000 : 60_000,
);

test(
  'a device cannot make the gateway fail by its status messages',
  async () => {
    for (let count = 0; count < REPORTING_DEVICES; count += 1) {
      await using device = await connectDevice(setup, await enrollTestDevice(setup), {
        birth: false,
      });
      const ended = new Promise((resolve) => {
        device.client.once('close', () => resolve(null));
        device.client.once('error', resolve);
      });
      const odd = withOddity(device.status('online'), oddValue);
      for (const body of fc.sample(odd, STATUSES_OF_A_DEVICE))
        await Promise.race([device.say('status', JSON.stringify(body) ?? ''), ended]);
    }
    await work();
    expect(faults).toEqual([]);
  },
  isThorough ? 300_000 : 60_000,
);

test(
  'a viewer cannot make the live channel fail by malformed packets',
  async () => {
    await using portal = await startTestServer();
    const token = await portal.signIn('admin');
    const door = await openLiveDoor(portal.url, token);
    const packets = livePackets(door).map((packet) => generate(packet));
    const mutated = fc.constantFrom(...packets).chain(mutateBytes);
    for (let count = 0; count < CONNECTIONS; count += 1)
      await sendLivePackets(door, fc.sample(mutated, PACKETS_EACH), { isGreeting: count % 4 > 0 });
    await using live = await LiveClient.open(portal.url, token);
    await live.watch({ kind: 'audit-trail', deviceId: null });
    const claim = await mutate(portal.url, {
      path: 'devices.createClaim',
      input: { uses: 1 },
      token,
    });
    const { token: claimToken } = claim.data as CreatedClaim;
    await enrollMachineAt({ url: portal.url, claimToken, serialNumber: 'MUTATED1' });
    await until(() => live.changes.some(({ kind }) => kind === 'audit-trail'));
    expect(faults).toEqual([]);
  },
  isThorough ? 300_000 : 60_000,
);
