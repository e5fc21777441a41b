import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedBroker } from '../../apps/server/src/gateway/embedded-transport.ts';
import {
  admitAll,
  benchLogger,
  createFleet,
  openTempDir,
  printRatio,
  startLoad,
  type BenchFleet,
} from '../device-fixture.ts';
import { openBareTls } from './bare-tls.ts';

/** KB of server memory for each idle connection. */
const LIMITS = { tls: 105, plain: 60, 'bare-tls': 105 };
const kinds = ['tls', 'plain', 'bare-tls'] as const;
type Kind = (typeof kinds)[number];
const SETTLE_MS = 5_000;

/**
 * What an idle device costs the server: resident memory of this process (the broker's thread is in it) before and
 * after. `node --expose-gc bench/idle/idle-connections.ts --kind tls --devices 5000`; each kind needs a fresh process.
 * `bare-tls` is what Node needs for a TLS connection with a client certificate, without a broker.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kind: { type: 'string', default: 'tls' },
      devices: { type: 'string', default: '5000' },
    },
  });
  const kind = kinds.find((name) => name === values.kind) ?? 'tls';
  await using resources = new AsyncDisposableStack();
  const fleet = await createFleet(await openTempDir(resources), Number(values.devices));
  const server = await openServer(kind, { resources, fleet });
  const load = resources.use(startLoad());
  const connect = (from: number, to: number) =>
    load.ask(
      {
        kind: 'connect',
        brokerUrls: [server.url],
        authorities: fleet.authority.authorities,
        key: fleet.key,
        devices: fleet.devices.slice(from, to),
      },
      'connected',
    );
  // The first few load code and fill pools: they are not counted.
  const warm = Math.min(100, Math.floor(fleet.devices.length / 5));
  await connect(0, warm);
  const beforeBytes = await settledBytes(server);
  const { count } = await connect(warm, fleet.devices.length);
  const afterBytes = await settledBytes(server);
  const kilobytes = (afterBytes - beforeBytes) / 1_024 / (count - warm);
  console.log(`${kind}: ${count} connections, ${kilobytes.toFixed(1)} KB each`);
  printRatio(`${kind} KB each`, kilobytes, { atMost: LIMITS[kind] });
}

interface IdleServer {
  readonly url: string;
  /** Resolves when all of its threads have collected garbage. */
  readonly collect: () => Promise<unknown>;
}

async function openServer(
  kind: Kind,
  { resources, fleet }: { readonly resources: AsyncDisposableStack; readonly fleet: BenchFleet },
): Promise<IdleServer> {
  if (kind === 'bare-tls') {
    const { port } = resources.use(await openBareTls(fleet.authority));
    return { url: `mqtts://127.0.0.1:${port}`, collect: () => Promise.resolve() };
  }
  const address = { host: '127.0.0.1', port: 0 };
  const isTls = kind === 'tls';
  const broker = resources.use(
    await openEmbeddedBroker({
      logger: benchLogger,
      devices: isTls ? { ...address, authority: fleet.authority } : null,
      ...(!isTls && { plain: address }),
    }),
  );
  await broker.devices.start(admitAll);
  return {
    url: isTls ? `mqtts://127.0.0.1:${broker.tlsPort}` : `mqtt://127.0.0.1:${broker.plainPort}`,
    // The broker's thread collects when it is asked to count.
    collect: broker.countConnections,
  };
}

async function settledBytes({ collect }: IdleServer): Promise<number> {
  await sleep(SETTLE_MS);
  globalThis.gc?.();
  await collect();
  await sleep(500);
  return process.memoryUsage().rss;
}

await main();
