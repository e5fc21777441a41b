/**
 * The devices of a benchmark in a separate process: thousands of MQTT clients with certificates.
 * Controlled over IPC by the benchmark.
 */

import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import mqtt, { type MqttClient } from 'mqtt';
import { downFilter, upTopic, type UpChannel } from '@deviceportal/device-protocol/topics';
import type { TerminalHost } from '../apps/agent/src/terminal/terminal-host.ts';
import { openBenchTerminals } from './terminals/bench-terminals.ts';

export interface LoadDevice {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly certificate: string;
}

export type ToLoad =
  | {
      readonly kind: 'connect';
      /** The devices connect to them in turn. */
      readonly brokerUrls: readonly string[];
      /** Default: 1. */
      readonly subscriptionQos?: 0 | 1;
      readonly authorities: string;
      readonly key: string;
      readonly devices: readonly LoadDevice[];
      /** Addresses of this machine from which the devices connect, in turn. */
      readonly localAddresses?: readonly string[];
      /** Devices that connect at the same time. Default: 60. */
      readonly atOnce?: number;
      /** Longest pause of a device whose connection fails, before it tries again. Default: it fails. */
      readonly retryMs?: number;
    }
  /** Messages of QoS 1 that the broker itself acknowledges. */
  | { readonly kind: 'publish'; readonly seconds: number; readonly publishers: number }
  | {
      readonly kind: 'events';
      readonly seconds: number;
      readonly window: number;
      readonly publishers: number;
    }
  /** Until the process ends: heartbeats of all devices in turn, and events of some of them. */
  | {
      readonly kind: 'live';
      readonly heartbeatSeconds: number;
      readonly eventsPerSecond: number;
    }
  | { readonly kind: 'read-cpu' }
  | { readonly kind: 'stop' };

export type FromLoad =
  | { readonly kind: 'connected'; readonly count: number }
  | { readonly kind: 'cpu'; readonly ms: number }
  | { readonly kind: 'published'; readonly perSecond: number }
  | { readonly kind: 'events-done'; readonly acknowledged: number; readonly seconds: number };

const CONNECTING_AT_ONCE = 60;
const IN_FLIGHT = 8;
const bareInvocationId = randomUUID();

/** The load shares the machine with the server, so only the required field is extracted. */
const invocationIdOf = (payload: Buffer): string =>
  /"invocationId":"([^"]+)"/.exec(payload.toString('latin1', 0, 100))?.[1] ?? '';

class Device {
  readonly #load: LoadDevice;
  readonly #client: MqttClient;
  #epoch = randomUUID();
  readonly #connectionId = randomUUID();
  #seq = 0;
  #terminals: TerminalHost | undefined;
  acked = 0;
  window = 0;
  lost = false;

  constructor(load: LoadDevice, client: MqttClient) {
    this.#load = load;
    this.#client = client;
    client.on('message', (topic, payload) =>
      this.#hear(topic.slice(topic.lastIndexOf('/') + 1), payload),
    );
    client.on('close', () => void (this.lost = true));
    client.on('error', () => {});
  }

  async greet(qos: 0 | 1): Promise<void> {
    const { deviceId, instanceId } = this.#load;
    await this.#client.subscribeAsync(downFilter(deviceId), { qos });
    await this.#client.publishAsync(
      upTopic(deviceId, 'status'),
      JSON.stringify({
        state: 'online',
        connectionId: this.#connectionId,
        instanceId,
        agentVersion: '1.0.0',
        reason: null,
      }),
      { qos: 1 },
    );
  }

  /** Starts a new journal, like a device that lost its disk, so that rounds are independent. */
  beginJournal(): void {
    this.#epoch = randomUUID();
    this.#seq = 0;
    this.acked = 0;
  }

  /** Keeps `window` events in flight until stopped. */
  pump(): void {
    while (this.#seq - this.acked < this.window)
      this.#journal([
        {
          kind: 'event',
          type: 'service-crashed',
          data: { service: 'kiosk', exitCode: 137, restarts: 3 },
        },
      ]);
  }

  beat(everySeconds: number): void {
    const { deviceId, instanceId } = this.#load;
    const heartbeat = {
      ...{ failing: [], diskUsedPercent: 41, memoryUsedPercent: 63 },
      ...{ uptimeSeconds: Math.round(performance.now() / 1_000), instanceId, everySeconds },
      at: new Date().toISOString(),
    };
    this.#client.publish(upTopic(deviceId, 'heartbeat'), JSON.stringify(heartbeat), { qos: 0 });
  }

  crash(): void {
    const data = { service: 'kiosk', exitCode: 137, restarts: 3 };
    this.#journal([{ kind: 'event', type: 'service-crashed', data }]);
  }

  /** Resolves when the broker has acknowledged it. */
  async publish(payload: string): Promise<void> {
    await this.#client.publishAsync(upTopic(this.#load.deviceId, 'renew'), payload, { qos: 1 });
  }

  end(): void {
    this.#client.end(true);
  }

  #hear(channel: string, payload: Buffer): void {
    if (channel === 'ack') {
      const ack = JSON.parse(payload.toString()) as { upTo: number; epoch: string };
      if (ack.epoch === this.#epoch) this.acked = Math.max(this.acked, ack.upTo);
      if (this.window > 0) this.pump();
    } else if (channel === 'terminal') {
      this.#terminals ??= openBenchTerminals(this.#load.deviceId, (message) =>
        this.#client.publish(upTopic(this.#load.deviceId, 'terminal'), message),
      );
      this.#terminals.take(JSON.parse(payload.toString()));
    } else if (channel === 'command') this.#run(invocationIdOf(payload));
    // The bare round trip: responds immediately with a message as long as a command's result.
    else if (channel === 'certificate') this.#run(bareInvocationId, 'heartbeat');
  }

  #run(invocationId: string, channel: UpChannel = 'journal'): void {
    const at = new Date().toISOString();
    this.#journal(
      [
        { kind: 'invocation-started', invocationId },
        {
          kind: 'invocation-output',
          invocationId,
          stream: 'stdout',
          offset: 0,
          text: 'x'.repeat(450),
        },
        {
          kind: 'invocation-result',
          invocationId,
          state: 'Success',
          statusDetails: 'Success',
          responseCode: 0,
          startedAt: at,
          endedAt: at,
          outputTruncated: false,
        },
      ],
      channel,
    );
  }

  #journal(drafts: readonly object[], channel: UpChannel = 'journal'): void {
    const at = new Date().toISOString();
    // Failed entries leave no gap in the journal.
    let seq = this.#seq;
    const entries = drafts.map((draft) => ({ seq: (seq += 1), at, ...draft }));
    if (channel === 'journal') this.#seq = seq;
    const { deviceId, instanceId } = this.#load;
    const message = JSON.stringify({ instanceId, epoch: this.#epoch, entries });
    this.#client.publish(upTopic(deviceId, channel), message, { qos: 1 });
  }
}

const devices: Device[] = [];
const tell = (message: FromLoad): void => void process.send?.(message);

async function connectAll(order: Extract<ToLoad, { kind: 'connect' }>): Promise<void> {
  const waiting = [...order.devices];
  const worker = async (): Promise<void> => {
    for (let load = waiting.pop(); load; load = waiting.pop())
      devices.push(await connectUntilDone(order, load));
  };
  await Promise.all(Array.from({ length: order.atOnce ?? CONNECTING_AT_ONCE }, worker));
  tell({ kind: 'connected', count: devices.filter(({ lost }) => !lost).length });
}

async function connectUntilDone(
  order: Extract<ToLoad, { kind: 'connect' }>,
  load: LoadDevice,
): Promise<Device> {
  for (;;) {
    try {
      return await connectOne(order, load);
    } catch (error) {
      if (order.retryMs === undefined) throw error;
      await wait(order.retryMs * (0.5 + Math.random() / 2));
    }
  }
}

let connections = 0;

async function connectOne(
  order: Extract<ToLoad, { kind: 'connect' }>,
  load: LoadDevice,
): Promise<Device> {
  const turn = connections++;
  const brokerUrl = order.brokerUrls[turn % order.brokerUrls.length] ?? '';
  const secure = brokerUrl.startsWith('mqtts:');
  const client = await mqtt.connectAsync(brokerUrl, {
    clientId: load.deviceId,
    protocolVersion: 4,
    reconnectPeriod: 0,
    keepalive: 1_200,
    ...(order.localAddresses && {
      localAddress: order.localAddresses[turn % order.localAddresses.length],
    }),
    ...(secure
      ? { ca: order.authorities, key: order.key, cert: load.certificate }
      : { username: load.deviceId }),
  });
  // As an agent does: otherwise a message can wait 40 ms for the acknowledgment of the one before.
  if (client.stream instanceof Socket) client.stream.setNoDelay(true);
  const device = new Device(load, client);
  await device.greet(order.subscriptionQos ?? 1);
  return device;
}

async function publishAll(order: Extract<ToLoad, { kind: 'publish' }>): Promise<void> {
  const payload = 'x'.repeat(200);
  const publishers = devices.slice(0, order.publishers);
  const endsAt = performance.now() + order.seconds * 1_000;
  let count = 0;
  const pump = async (device: Device): Promise<void> => {
    while (performance.now() < endsAt) {
      await device.publish(payload);
      count += 1;
    }
  };
  await Promise.all(
    publishers.flatMap((device) => Array.from({ length: IN_FLIGHT }, () => pump(device))),
  );
  tell({ kind: 'published', perSecond: count / order.seconds });
}

async function sendEvents(order: Extract<ToLoad, { kind: 'events' }>): Promise<void> {
  const publishers = devices.slice(0, order.publishers);
  const total = (): number => publishers.reduce((sum, { acked }) => sum + acked, 0);
  for (const device of publishers) {
    device.beginJournal();
    device.window = order.window;
    device.pump();
  }
  await wait(1_000);
  const [before, startedAt] = [total(), performance.now()];
  await wait(order.seconds * 1_000);
  const acknowledged = total() - before;
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const device of publishers) device.window = 0;
  await wait(1_500);
  tell({ kind: 'events-done', acknowledged, seconds });
}

/** The devices in turn, a few every tenth of a second. */
function live(order: Extract<ToLoad, { kind: 'live' }>): void {
  const perSecond = devices.length / order.heartbeatSeconds;
  const startedAt = performance.now();
  let [beats, events] = [0, 0];
  setInterval(() => {
    const seconds = (performance.now() - startedAt) / 1_000;
    for (; beats < seconds * perSecond; beats += 1)
      devices[beats % devices.length]?.beat(order.heartbeatSeconds);
    for (; events < seconds * order.eventsPerSecond; events += 1)
      devices[(events * 7) % devices.length]?.crash();
  }, 100);
}

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

process.on('message', (message: ToLoad) => {
  if (message.kind === 'connect') void connectAll(message);
  else if (message.kind === 'events') void sendEvents(message);
  else if (message.kind === 'publish') void publishAll(message);
  else if (message.kind === 'live') live(message);
  else if (message.kind === 'read-cpu') {
    const { user, system } = process.cpuUsage();
    tell({ kind: 'cpu', ms: (user + system) / 1_000 });
  } else {
    for (const device of devices) device.end();
    process.exit(0);
  }
});
