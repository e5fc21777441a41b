import { parseArgs } from 'node:util';
import { createFleet, openTempDir, printRatio, startLoad } from './device-fixture.ts';
import { startEmbedded } from './brokers/start-embedded.ts';
import { startMosquitto } from './brokers/start-mosquitto.ts';
import { startNats } from './brokers/start-nats.ts';
import { startRmqtt } from './brokers/start-rmqtt.ts';

const starters = {
  embedded: startEmbedded,
  mosquitto: startMosquitto,
  nats: startNats,
  rmqtt: startRmqtt,
};
/** KB of broker memory for each connection. */
const LIMITS = { embedded: 105, mosquitto: 45, nats: 150, rmqtt: 90 };
const kinds = ['embedded', 'mosquitto', 'nats', 'rmqtt'] as const;
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
const PUBLISHERS = 500;
const PUBLISH_SECONDS = 15;

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
  const kind = kinds.find((name) => name === values.broker) ?? 'embedded';
  await using resources = new AsyncDisposableStack();
  const directory = await openTempDir(resources);
  const fleet = await createFleet(directory, Number(values.connections));
  const broker = await starters[kind]({ resources, directory, fleet });
  const load = resources.use(startLoad());
  const beforeBytes = await broker.residentBytes();
  const startedAt = performance.now();
  const { count } = await load.ask(
    {
      kind: 'connect',
      brokerUrls: broker.brokerUrls,
      subscriptionQos: broker.subscriptionQos,
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

await main();
