import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import mqtt from 'mqtt';
import { openEmbeddedBroker } from '../apps/server/src/gateway/embedded-transport.ts';
import { findFreePort } from '../apps/server/src/platform/http/find-free-port.ts';
import {
  admitAll,
  benchLogger,
  createFleet,
  openTempDir,
  printRatio,
  startLoad,
  type BenchFleet,
} from './device-fixture.ts';

/** KB of broker memory for each connection. */
const LIMITS = { embedded: 105, mosquitto: 45 };
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
const PUBLISHERS = 500;
const PUBLISH_SECONDS = 15;
const SETTLE_MS = 5_000;

interface BenchBroker {
  readonly port: number;
  readonly residentBytes: () => Promise<number>;
}

/**
 * Many devices with TLS and a certificate each on one broker process: its memory, connects per second, and messages per
 * second while all are connected. `node --expose-gc bench/connections.ts --broker mosquitto --connections 18000`.
 * A process needs as many open files as connections; each address of the client has about 28,000 ports.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      broker: { type: 'string', default: 'embedded' },
      connections: { type: 'string', default: '5000' },
    },
  });
  const kind = values.broker === 'mosquitto' ? 'mosquitto' : 'embedded';
  await using resources = new AsyncDisposableStack();
  const directory = await openTempDir(resources);
  const fleet = await createFleet(directory, Number(values.connections));
  const broker =
    kind === 'mosquitto'
      ? await startMosquitto(resources, { directory, fleet })
      : await startEmbedded(resources, fleet);
  const load = resources.use(startLoad());
  const beforeBytes = await broker.residentBytes();
  const startedAt = performance.now();
  const { count } = await load.ask(
    {
      kind: 'connect',
      brokerUrl: `mqtts://127.0.0.1:${broker.port}`,
      authorities: fleet.authority.authorities,
      key: fleet.key,
      devices: fleet.devices,
      localAddresses: ADDRESSES,
    },
    'connected',
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const kilobytes = ((await broker.residentBytes()) - beforeBytes) / 1_024 / count;
  const { perSecond } = await load.ask(
    { kind: 'publish', seconds: PUBLISH_SECONDS, publishers: PUBLISHERS },
    'published',
  );
  console.log(
    `${kind}: ${count} connections, ${kilobytes.toFixed(1)} KB each, ` +
      `${(count / seconds).toFixed(0)} connects/s, ${perSecond.toFixed(0)} messages/s`,
  );
  printRatio('connected of wanted', count / fleet.devices.length, { atLeast: 1 });
  printRatio('KB each', kilobytes, { atMost: LIMITS[kind] });
}

async function startEmbedded(
  resources: AsyncDisposableStack,
  { authority, devices }: BenchFleet,
): Promise<BenchBroker> {
  const broker = resources.use(
    await openEmbeddedBroker({
      logger: benchLogger,
      devices: { host: '127.0.0.1', port: 0, authority },
      connections: { perAddress: devices.length },
    }),
  );
  await broker.devices.start(admitAll);
  return {
    port: broker.tlsPort ?? 0,
    async residentBytes() {
      await sleep(SETTLE_MS);
      globalThis.gc?.();
      // The broker's thread collects, too, when it is asked to count.
      await broker.countConnections();
      return process.memoryUsage().rss;
    },
  };
}

/** Without persistence, as in docs/guides/device-transport.md, and a subscriber in place of the gateway. */
async function startMosquitto(
  resources: AsyncDisposableStack,
  { directory, fleet: { authority, devices, key } }: { directory: string; fleet: BenchFleet },
): Promise<BenchBroker> {
  const port = await findFreePort('127.0.0.1');
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(directory, name), text);
    return join(directory, name);
  };
  const [gateway] = devices;
  const lines = [
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    `listener ${port} 127.0.0.1`,
    `cafile ${await write('authority.crt', authority.authorities)}`,
    `certfile ${await write('broker.crt', authority.server.certificate)}`,
    `keyfile ${await write('broker.key', authority.server.key)}`,
    ...['require_certificate true', 'use_identity_as_username true', 'allow_anonymous false'],
    'max_queued_messages 10000',
  ];
  const config = await write('mosquitto.conf', `${lines.join('\n')}\n`);
  const child = spawn('mosquitto', ['-c', config], {
    stdio: 'ignore',
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
  });
  resources.defer(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const subscriber = mqtt.connect(`mqtts://127.0.0.1:${port}`, {
    ...{ ca: authority.authorities, key, cert: gateway?.certificate ?? '' },
    ...{ protocolVersion: 4, clientId: 'gateway', reconnectPeriod: 200 },
  });
  resources.defer(() => subscriber.endAsync(true));
  subscriber.on('error', () => {});
  await new Promise<void>((resolve) => {
    subscriber.once('connect', () => resolve());
  });
  await subscriber.subscribeAsync('$share/bench/deviceportal/devices/+/up/+', { qos: 1 });
  return {
    port,
    async residentBytes() {
      await sleep(SETTLE_MS);
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024;
    },
  };
}

await main();
