import {
  loadBuiltinCommands,
  builtinConsequences,
} from '../apps/server/src/commands/catalog/builtin-commands.ts';
import type { CommandsDeps } from '../apps/server/src/commands/commands-deps.ts';
import { createDispatcher } from '../apps/server/src/commands/execution/dispatcher.ts';
import { createParameterVault } from '../apps/server/src/commands/parameters/parameter-vault.ts';
import { loadBuiltinDocuments } from '../apps/server/src/documents/load-builtin-documents.ts';
import type {
  DeviceTransport,
  DownMessage,
  UpMessage,
} from '../apps/server/src/gateway/device-transport.ts';
import { openEmbeddedBroker } from '../apps/server/src/gateway/embedded-transport.ts';
import { createGateway } from '../apps/server/src/gateway/gateway.ts';
import { createLocalChangeFeed } from '../apps/server/src/platform/change-feed.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import { serveTerminals } from '../apps/server/src/compose/terminals/serve-terminals.ts';
import { TerminalSender } from '../apps/server/src/terminals/terminal-lines.ts';
import {
  benchConnection,
  benchLogger,
  createFleet,
  openBenchDatabase,
  openTempDir,
  startLoad,
  storeFleet,
  type BenchFleet,
  type Load,
} from './device-fixture.ts';
import { benchRunSigning } from './bench-run-signing.ts';

/** The whole path of a command, with devices that respond over TLS from a separate process. */
export interface CommandFixture {
  readonly deps: CommandsDeps;
  readonly load: Load;
  readonly fleet: BenchFleet;
  readonly echo: Echo;
  readonly terminalLines: TerminalSender;
  /** Number of connected devices. */
  readonly connected: number;
}

/** @param storeOthers inserts offline devices into the database before the others connect */
export async function openCommandFixture(
  resources: AsyncDisposableStack,
  count: number,
  storeOthers?: (database: Database) => Promise<void>,
): Promise<CommandFixture> {
  const dataDir = await openTempDir(resources);
  const database = await openBenchDatabase(resources, dataDir);
  const fleet = await createFleet(dataDir, count);
  await storeOthers?.(database);
  await storeFleet(database, fleet);
  const changes = createLocalChangeFeed((error) => console.error(error));
  const broker = resources.use(
    await openEmbeddedBroker({
      logger: benchLogger,
      devices: { host: '127.0.0.1', port: 0, authority: fleet.authority },
    }),
  );
  const echo = withEcho(broker.devices);
  const terminalLines = resources.use(new TerminalSender(changes));
  const deps = await serve(resources, {
    ...{ database, changes, fleet, terminalLines },
    transport: echo.transport,
  });
  const load = resources.use(startLoad());
  const connectingMs = performance.now();
  const { count: connected } = await load.ask(
    {
      kind: 'connect',
      brokerUrls: [`mqtts://127.0.0.1:${broker.tlsPort}`],
      authorities: fleet.authority.authorities,
      key: fleet.key,
      devices: fleet.devices,
    },
    'connected',
  );
  await waitForOnline(database, connected);
  const tookMs = performance.now() - connectingMs;
  console.log(`${connected} TLS clients connected in ${(tookMs / 1_000).toFixed(1)} s`);
  return { deps, load, fleet, echo, terminalLines, connected };
}

/** Dispatcher and gateway, created as in `compose.ts` of the server. */
async function serve(
  resources: AsyncDisposableStack,
  parts: Pick<CommandsDeps, 'database' | 'changes'> & {
    readonly fleet: BenchFleet;
    readonly transport: DeviceTransport;
    readonly terminalLines: TerminalSender;
  },
): Promise<CommandsDeps> {
  const { database, changes, fleet, transport, terminalLines } = parts;
  const clock = (): Date => new Date();
  const vault = createParameterVault(new Uint8Array(32));
  const signing = benchRunSigning();
  await loadBuiltinDocuments({ database, clock, consequences: builtinConsequences });
  await loadBuiltinCommands({ database });
  const dispatcher = resources.use(
    createDispatcher({
      database,
      changes,
      transport,
      vault,
      signing,
      logger: benchLogger,
      artefactUploadUrl: () => null,
    }),
  );
  resources.use(
    await createGateway({
      terminals: serveTerminals(terminalLines, { database, changes, transport }),
      database,
      changes,
      transport,
      authority: fleet.authority,
      deviceKeys: { runs: signing.keys, releases: benchRunSigning().keys },
      connection: benchConnection,
      logger: benchLogger,
      clock,
      onConnected: dispatcher.devicesConnected,
    }),
  );
  const sign = (): string => '';
  return {
    database,
    changes,
    clock,
    parameters: { read: async () => [] },
    vault,
    signing,
    sendNew: dispatcher.sendNew,
    signArtifactUrl: sign,
    signResultsUrl: sign,
  };
}

/** A round trip of only the broker. */
export interface Echo {
  readonly transport: DeviceTransport;
  /** Milliseconds until every device has responded. */
  readonly roundTrip: (fleet: BenchFleet) => Promise<number>;
}

/**
 * Adds a bare round trip to the transport: a QoS 1 message to each device and a QoS 1 response,
 * with the lengths of the last command and its result.
 */
function withEcho(inner: DeviceTransport): Echo {
  let answered: (() => void) | undefined;
  let command: Pick<DownMessage, 'payload' | 'sharedEnd'> = { payload: '' };
  return {
    transport: {
      ...inner,
      publish(messages) {
        const [first] = messages;
        if (first?.channel === 'command') command = first;
        inner.publish(messages);
      },
      start: (handlers) =>
        inner.start({
          ...handlers,
          async up(messages) {
            const isEcho = ({ channel }: UpMessage): boolean =>
              answered !== undefined && channel === 'heartbeat';
            const own = messages.filter(isEcho);
            const others = messages.filter((message) => !isEcho(message));
            for (const _ of own) answered?.();
            await handlers.up(others);
          },
        }),
      [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
    },
    async roundTrip({ devices }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      let left = devices.length;
      answered = () => {
        left -= 1;
        if (left === 0) resolve();
      };
      const startedMs = performance.now();
      inner.publish(
        devices.map(({ deviceId }) => ({ ...command, deviceId, channel: 'certificate', qos: 1 })),
      );
      await promise;
      answered = undefined;
      return performance.now() - startedMs;
    },
  };
}

async function waitForOnline({ pool }: Database, count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ online: number }>(
      `select count(*)::int as online from device_status where connectivity = 'online'`,
    );
    if (rows[0]?.online === count) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}
