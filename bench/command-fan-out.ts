import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { builtinRoles } from '@deviceportal/contract/permissions';
import {
  loadBuiltinCommands,
  builtinConsequences,
} from '../apps/server/src/commands/builtin-commands.ts';
import type { CommandsDeps } from '../apps/server/src/commands/commands-deps.ts';
import { createDispatcher } from '../apps/server/src/commands/execution/dispatcher.ts';
import { createParameterVault } from '../apps/server/src/commands/parameter-vault.ts';
import { runCommand } from '../apps/server/src/commands/run-command.ts';
import { loadBuiltinDocuments } from '../apps/server/src/documents/load-builtin-documents.ts';
import type { DeviceTransport, UpMessage } from '../apps/server/src/gateway/device-transport.ts';
import { openEmbeddedBroker } from '../apps/server/src/gateway/embedded-transport.ts';
import { createGateway } from '../apps/server/src/gateway/gateway.ts';
import { createLocalChangeFeed } from '../apps/server/src/platform/change-feed.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import type { Viewer } from '../apps/server/src/platform/viewer.ts';
import {
  benchLogger,
  createFleet,
  openBenchDatabase,
  openTempDir,
  printRatio,
  startLoad,
  storeFleet,
  type BenchFleet,
} from './device-bed.ts';

const RATIO_LIMIT = 2;

const viewer: Viewer = {
  userId: '00000000-0000-7000-8000-000000000001',
  subject: 'bench',
  username: 'bench',
  displayName: 'Bench',
  email: null,
  roles: ['Administrator'],
  grants: builtinRoles.filter((role) => role.name === 'Administrator'),
  signedInAt: new Date(),
};

/**
 * One command to every connected device, from the call to the last committed result, against the bare round trip of
 * the same broker with the same TLS clients: messages of the same lengths, down and up, that nobody stores.
 * `--devices 5000 --rounds 5`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '5000' },
      rounds: { type: 'string', default: '5' },
      verbose: { type: 'boolean', default: false },
    },
  });
  await using resources = new AsyncDisposableStack();
  const dataDir = await openTempDir(resources);
  const database = await openBenchDatabase(resources, dataDir);
  const fleet = await createFleet(dataDir, Number(values.devices));
  await storeFleet(database, fleet);
  const changes = createLocalChangeFeed((error) => console.error(error));
  const broker = resources.use(
    await openEmbeddedBroker({
      logger: benchLogger,
      devices: { host: '127.0.0.1', port: 0, authority: fleet.authority },
    }),
  );
  const echo = withEcho(broker.devices);
  const clock = (): Date => new Date();
  const vault = createParameterVault(new Uint8Array(32));
  const deps: CommandsDeps = { database, changes, clock, vault, signArtefactUrl: () => '' };
  await loadBuiltinDocuments({ database, clock, consequences: builtinConsequences });
  await loadBuiltinCommands({ database });
  const dispatcher = resources.use(
    createDispatcher({
      database,
      changes,
      transport: echo.transport,
      vault,
      logger: benchLogger,
      artefactUploadUrl: () => null,
    }),
  );
  resources.use(
    await createGateway({
      database,
      changes,
      transport: echo.transport,
      authority: fleet.authority,
      logger: benchLogger,
      clock,
      onConnected: dispatcher.devicesConnected,
    }),
  );
  const load = resources.use(startLoad());
  const connectingMs = performance.now();
  const { count } = await load.ask(
    {
      kind: 'connect',
      brokerUrl: `mqtts://127.0.0.1:${broker.tlsPort}`,
      authorities: fleet.authority.authorities,
      key: fleet.key,
      devices: fleet.devices,
    },
    'connected',
  );
  await waitForOnline(database, count);
  console.log(`${count} TLS clients connected in ${seconds(connectingMs)} s`);
  if (values.verbose) {
    changes.subscribe((change) => {
      if (change.kind === 'run') console.log(`  ${performance.now().toFixed(0)} ms: run changed`);
    });
  }
  const bare: number[] = [];
  const full: number[] = [];
  // Not counted: code gets warm on both paths, and the bare one learns how long a command is.
  await fanOut(deps, count);
  await echo.roundTrip(fleet);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    bare.push(await echo.roundTrip(fleet));
    full.push(await fanOut(deps, count));
    console.log(`bare ${bare.at(-1)?.toFixed(0)} ms, command ${full.at(-1)?.toFixed(0)} ms`);
  }
  console.log(`medians: bare ${median(bare).toFixed(0)} ms, command ${median(full).toFixed(0)} ms`);
  printRatio('command to bare round trip', median(full) / median(bare), { atMost: RATIO_LIMIT });
}

const seconds = (sinceMs: number): string => ((performance.now() - sinceMs) / 1_000).toFixed(1);
const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** From the call that creates the run to its end in the database, every result committed. */
async function fanOut(deps: CommandsDeps, count: number): Promise<number> {
  const startedMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  let runId: string | undefined;
  const check = async (): Promise<void> => {
    const { rows } = await deps.database.pool.query<{ ended: boolean; success: number }>(
      'select ended_at is not null as ended, success_count as success from command_run where id = $1',
      [runId],
    );
    const [row] = rows;
    if (!row?.ended) return;
    if (row.success !== count) throw new Error(`${row.success} of ${count} succeeded`);
    resolve();
  };
  using _ = deps.changes.subscribe((change) => {
    if (change.kind === 'run' && runId !== undefined) void check();
  });
  const run = await runCommand(deps, viewer, {
    command: 'process/top',
    document: '',
    target: {
      kind: 'filter',
      filter: { text: '', tokens: [], operation: 'and', targetListId: null },
    },
    parameters: {},
    maxConcurrency: '100%',
    maxErrors: '100%',
    timeoutSeconds: 3_600,
    comment: '',
    confirmation: '',
    idempotencyKey: randomUUID(),
    origin: { requestId: 'bench', address: '127.0.0.1' },
  });
  runId = run.id;
  await check();
  await promise;
  return performance.now() - startedMs;
}

/**
 * Adds a bare round trip to the transport: a QoS 1 message down to each device, as long as the last command was, and
 * its QoS 1 answer up, as long as that of a command.
 */
function withEcho(inner: DeviceTransport): {
  readonly transport: DeviceTransport;
  readonly roundTrip: (fleet: BenchFleet) => Promise<number>;
} {
  let answered: (() => void) | undefined;
  let payload = '';
  return {
    transport: {
      ...inner,
      publish(messages) {
        const [first] = messages;
        if (first?.channel === 'command') ({ payload } = first);
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
        devices.map(({ deviceId }) => ({ deviceId, channel: 'certificate', payload, qos: 1 })),
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

await main();
