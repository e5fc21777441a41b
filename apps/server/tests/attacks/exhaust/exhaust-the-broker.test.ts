import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { generate, type Packet } from 'mqtt-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CONNECT_QUOTA,
  FAILED_HANDSHAKE_QUOTA,
  KEEP_ALIVE_LIMIT_SECONDS,
  PACKET_QUOTA,
  SLOW_CLIENT_LIMIT_BYTES,
  TOPIC_LIMIT_CHARACTERS,
  WILL_LIMIT_BYTES,
} from '@deviceportal/contract/device-limits';
import { downFilter, upTopic } from '@deviceportal/device-protocol/topics';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  until,
  type EnrolledDevice,
  type GatewayFixture,
} from '../../support/gateway-fixture.ts';

const LIMITS = { perAddress: 40, waitingPerAddress: 20, waitingInAll: 60, inAll: 70 };

let setup: GatewayFixture;
beforeAll(async () => {
  setup = await openGatewayFixture({ connections: LIMITS });
});
afterAll(() => setup[Symbol.asyncDispose]());

const isOpen = (socket: Socket): boolean => !socket.destroyed && socket.readyState === 'open';

/** Sockets that send nothing. All of 127.0.0.0/8 is this machine. */
async function openSilent(count: number, localAddress: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connectTcp({ host: '127.0.0.1', port: setup.broker.tlsPort ?? 0, localAddress });
    socket.on('error', () => {});
    return socket;
  });
  await sleep(500);
  return sockets;
}

async function closeAll(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await sleep(100);
}

/** A connection with the device's certificate, on which the test writes every packet. */
async function openRaw(device: EnrolledDevice): Promise<TLSSocket> {
  const socket = connectTls({
    host: '127.0.0.1',
    port: setup.broker.tlsPort ?? 0,
    ca: setup.authority.authorities,
    cert: device.certificate,
    key: device.key,
  });
  socket.on('error', () => {});
  await new Promise((resolve) => {
    socket.once('secureConnect', resolve);
  });
  return socket;
}

const send = (socket: TLSSocket, packet: Packet): void => void socket.write(generate(packet));

const connectPacket = (device: EnrolledDevice, more: object = {}): Packet =>
  ({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId: device.deviceId,
    keepalive: 60,
    ...more,
  }) as Packet;

/** CONNACK's return code; undefined if the connection was ended instead. */
async function answerTo(device: EnrolledDevice, more: object = {}): Promise<number | undefined> {
  const socket = await openRaw(device);
  const answered = new Promise<number | undefined>((resolve) => {
    socket.once('data', (bytes: Buffer) => resolve(bytes[3]));
    socket.once('close', () => resolve(undefined));
  });
  send(socket, connectPacket(device, more));
  const code = await answered;
  socket.destroy();
  return code;
}

async function openMqtt(device: EnrolledDevice): Promise<TLSSocket> {
  const socket = await openRaw(device);
  send(socket, connectPacket(device));
  await new Promise((resolve) => {
    socket.once('data', resolve);
  });
  return socket;
}

const worksFor = async (device: EnrolledDevice): Promise<void> => {
  await using connected = await connectDevice(setup, device);
  await connected.journal({ kind: 'event', type: 'tick', data: {} });
  await until(() => connected.ackedUpTo > 0);
};

describe('connections', () => {
  test('an address cannot hold more idle connections than its share, and others can connect', async () => {
    const silent = await openSilent(60, '127.0.0.9');
    expect(silent.filter(isOpen)).toHaveLength(LIMITS.waitingPerAddress);
    await worksFor(await enrollTestDevice(setup));
    await closeAll(silent);
    expect(await openSilent(1, '127.0.0.9').then((list) => list.map(isOpen))).toEqual([true]);
  });

  test('all addresses together cannot exceed the total limit, and ended connections make room', async () => {
    const addresses = ['127.0.1.1', '127.0.1.2', '127.0.1.3', '127.0.1.4', '127.0.1.5'];
    const silent = (await Promise.all(addresses.map((address) => openSilent(30, address)))).flat();
    expect(silent.filter(isOpen).length).toBeLessThanOrEqual(LIMITS.waitingInAll);
    await closeAll(silent);
    await worksFor(await enrollTestDevice(setup));
  });

  test('an address without a valid certificate is rejected before the handshake, and others are not', async () => {
    await using own = await openGatewayFixture();
    const port = own.broker.tlsPort ?? 0;
    const tries = FAILED_HANDSHAKE_QUOTA.burst + 400;
    const knock = () =>
      new Promise<void>((resolve) => {
        const socket = connectTcp({ host: '127.0.0.1', port, localAddress: '127.0.0.77' });
        socket.on('error', () => {});
        socket.once('close', () => resolve());
        socket.write('GET / HTTP/1.1\r\n\r\n');
        socket.resume();
      });
    for (let from = 0; from < tries; from += 100)
      await Promise.all(Array.from({ length: 100 }, knock));
    const shake = () =>
      new Promise<boolean>((resolve) => {
        const late = connectTls({
          ...{ host: '127.0.0.1', port, localAddress: '127.0.0.77', rejectUnauthorized: false },
        });
        late.once('secureConnect', () => resolve(true));
        late.once('error', () => resolve(false));
        late.once('close', () => late.destroy());
      });
    const shaken = await Promise.all(Array.from({ length: 300 }, shake));
    expect(shaken.filter(Boolean).length).toBeLessThan(150);
    await using connected = await connectDevice(own, await enrollTestDevice(own));
    expect(connected.client.connected).toBe(true);
  });

  test('a device that reconnects continuously is throttled, and its presence leaves a bounded number of events', async () => {
    const device = await enrollTestDevice(setup);
    let admitted = 0;
    for (let turn = 0; turn < CONNECT_QUOTA.burst; turn += 1)
      if ((await answerTo(device)) === 0) admitted += 1;
    const startedAt = performance.now();
    const codes = await Promise.all(Array.from({ length: 20 }, () => answerTo(device)));
    admitted += codes.filter((code) => code === 0).length;
    expect(admitted).toBeLessThanOrEqual(CONNECT_QUOTA.burst + 2);
    // "Server unavailable", sent after a delay: the device should retry later.
    expect(codes.at(-1)).toBe(3);
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
    await worksFor(await enrollTestDevice(setup));
  });
});

describe('a connection', () => {
  const isEnded = (socket: TLSSocket): Promise<unknown> =>
    until(() => socket.destroyed || socket.readyState !== 'open');

  test('cannot stay without a keep-alive, or with one of hours', async () => {
    const device = await enrollTestDevice(setup);
    expect(await answerTo(device, { keepalive: 0 })).not.toBe(0);
    expect(await answerTo(device, { keepalive: KEEP_ALIVE_LIMIT_SECONDS + 1 })).not.toBe(0);
    expect(await answerTo(device, { keepalive: KEEP_ALIVE_LIMIT_SECONDS })).toBe(0);
  });

  test('cannot have a large will, or one for the topic of another device', async () => {
    const [device, other] = [await enrollTestDevice(setup), await enrollTestDevice(setup)];
    const will = (deviceId: string, bytes: number) => ({
      will: {
        topic: upTopic(deviceId, 'status'),
        payload: Buffer.alloc(bytes, 32),
        qos: 1,
        retain: true,
      },
    });
    expect(await answerTo(device, will(device.deviceId, WILL_LIMIT_BYTES + 1))).toBe(5);
    expect(await answerTo(device, will(other.deviceId, 10))).toBe(5);
    expect(await answerTo(device, will(device.deviceId, WILL_LIMIT_BYTES))).toBe(0);
  });

  test('is ended by a packet with a thousand subscriptions', async () => {
    const device = await enrollTestDevice(setup);
    const socket = await openMqtt(device);
    const subscriptions = Array.from({ length: 1_000 }, (_, index) => ({
      topic: `a/${index}`,
      qos: 0 as const,
    }));
    send(socket, { cmd: 'subscribe', messageId: 1, subscriptions } as Packet);
    await isEnded(socket);
    expect(await refusalsOf(device)).toBe(0);
  });

  test('is ended by a message of QoS 2, or with a long or deep topic', async () => {
    const device = await enrollTestDevice(setup);
    const publish = { cmd: 'publish', dup: false, retain: false, payload: '{}', messageId: 1 };
    const packets = [
      { ...publish, qos: 2, topic: upTopic(device.deviceId, 'heartbeat') },
      { ...publish, qos: 0, topic: 'x'.repeat(TOPIC_LIMIT_CHARACTERS + 1) },
      { ...publish, qos: 0, topic: `${'a/'.repeat(50)}a` },
    ] as Packet[];
    for (const packet of packets) {
      const socket = await openMqtt(device);
      send(socket, packet);
      await isEnded(socket);
    }
  });

  test('is ended by endless pings, while other connections are served', async () => {
    const socket = await openMqtt(await enrollTestDevice(setup));
    for (let ping = 0; ping < PACKET_QUOTA.burst * 2; ping += 1) send(socket, { cmd: 'pingreq' });
    await Promise.all([isEnded(socket), worksFor(await enrollTestDevice(setup))]);
  });

  test('leaves no retained message behind', async () => {
    const device = await enrollTestDevice(setup);
    await using one = await connectDevice(setup, device);
    await one.client.publishAsync(upTopic(device.deviceId, 'heartbeat'), '{}', {
      qos: 1,
      retain: true,
    });
    await using again = await connectDevice(setup, device);
    await again.client.subscribeAsync(downFilter(device.deviceId));
    await sleep(200);
    expect(again.messages.filter(({ channel }) => channel === 'heartbeat')).toEqual([]);
  });

  test('is ended before much is buffered, if it does not read', async () => {
    const device = await enrollTestDevice(setup);
    const socket = await openMqtt(device);
    socket.pause();
    // More than the socket buffers of both ends.
    const payload = JSON.stringify({ text: 'x'.repeat(100_000) });
    const messages = Array.from({ length: 20 }, () => ({
      deviceId: device.deviceId,
      channel: 'command' as const,
      payload,
      qos: 1 as const,
    }));
    let sentBytes = 0;
    await until(async () => {
      setup.broker.devices.publish(messages);
      sentBytes += messages.length * payload.length;
      await sleep(20);
      return (await setup.broker.countConnections()) === 0;
    });
    expect(sentBytes).toBeLessThan(40 * SLOW_CLIENT_LIMIT_BYTES);
    socket.destroy();
  });
});

const refusalsOf = async ({ deviceId }: EnrolledDevice): Promise<number> =>
  (
    await rowsOf(
      setup.database,
      `select from audit_event where device_id = $1 and type = 'device.refused'`,
      [deviceId],
    )
  ).length;
