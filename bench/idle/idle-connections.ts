import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  openEmbeddedBroker,
  type EmbeddedBroker,
} from '../../apps/server/src/gateway/embedded-transport.ts';
import {
  admitAll,
  benchLogger,
  createFleet,
  openTempDir,
  printRatio,
  startLoad,
} from '../device-fixture.ts';

/** KB of server memory for each idle connection. */
const LIMITS = { tls: 105, plain: 60 };
const SETTLE_MS = 5_000;

/**
 * What an idle device costs the server: resident memory of this process (the broker's thread is in it) before and
 * after. `node --expose-gc bench/idle/idle-connections.ts --kind tls --devices 5000`; each kind needs a fresh process.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kind: { type: 'string', default: 'tls' },
      devices: { type: 'string', default: '5000' },
    },
  });
  const kind = values.kind === 'plain' ? 'plain' : 'tls';
  await using resources = new AsyncDisposableStack();
  const fleet = await createFleet(await openTempDir(resources), Number(values.devices));
  const address = { host: '127.0.0.1', port: 0 };
  const broker = resources.use(
    await openEmbeddedBroker({
      logger: benchLogger,
      devices: kind === 'tls' ? { ...address, authority: fleet.authority } : null,
      ...(kind === 'plain' && { plain: address }),
    }),
  );
  await broker.devices.start(admitAll);
  const load = resources.use(startLoad());
  const connect = (from: number, to: number) =>
    load.ask(
      {
        kind: 'connect',
        brokerUrls: [
          kind === 'tls'
            ? `mqtts://127.0.0.1:${broker.tlsPort}`
            : `mqtt://127.0.0.1:${broker.plainPort}`,
        ],
        authorities: fleet.authority.authorities,
        key: fleet.key,
        devices: fleet.devices.slice(from, to),
      },
      'connected',
    );
  // The first few load code and fill pools: they are not counted.
  const warm = Math.min(100, Math.floor(fleet.devices.length / 5));
  await connect(0, warm);
  const beforeBytes = await settledBytes(broker);
  const { count } = await connect(warm, fleet.devices.length);
  const afterBytes = await settledBytes(broker);
  const kilobytes = (afterBytes - beforeBytes) / 1_024 / (count - warm);
  console.log(`${kind}: ${count} connections, ${kilobytes.toFixed(1)} KB each`);
  printRatio(`${kind} KB each`, kilobytes, { atMost: LIMITS[kind] });
}

async function settledBytes(broker: EmbeddedBroker): Promise<number> {
  await sleep(SETTLE_MS);
  globalThis.gc?.();
  // The broker's thread collects, too, when it is asked to count.
  await broker.countConnections();
  await sleep(500);
  return process.memoryUsage().rss;
}

await main();
