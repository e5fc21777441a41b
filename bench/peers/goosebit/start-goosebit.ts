import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startEmbeddedPostgres } from '../../../apps/server/src/platform/database/embedded-postgres.ts';
import { startHelper, type Helper } from '../../capacity/start-helper.ts';
import { run } from '../install-peer.ts';
import type { RunningProduct } from '../product.ts';
import { until } from '../until.ts';
import type { PollingOrder } from './devices-process.ts';
import { openGooseBitClient, type GooseBitClient } from './goosebit-client.ts';
import { DATABASE, socketDirOf, urlOf, type GooseBitPlace } from './goosebit-place.ts';
import { openGooseBitDatabase } from './open-goosebit-database.ts';
import { rollOut } from './roll-out.ts';
import { storeTargets } from './store-targets.ts';

const PAGE = 100;

export async function startGooseBit(place: GooseBitPlace): Promise<RunningProduct> {
  await using cleanup = new AsyncDisposableStack();
  const startedAt = performance.now();
  const cluster = cleanup.use(await startEmbeddedPostgres({ dataDir: place.dataDir }));
  await createDatabase(place);
  const pid = await startServer(cleanup, place);
  await until(() => isReady(place), { what: 'gooseBit ready' });
  const readyAfterMs = performance.now() - startedAt;
  let client: Promise<GooseBitClient> | undefined;
  const signedIn = (): Promise<GooseBitClient> => (client ??= openGooseBitClient(place));
  const owned = cleanup.move();
  const devices = owned.use(
    startHelper<PollingOrder>(new URL('devices-process.ts', import.meta.url)),
  );
  return {
    readyAfterMs,
    pids: [pid, cluster.pid],
    startAgent: undefined,
    connect: async (count) => connect(devices, { place, count }),
    tasks: {
      'task, devices ask at the request': {
        run: async () => rollOut(await signedIn(), place, () => devices.ask({ kind: 'poll-now' })),
        runs: 1,
      },
      task: { run: async () => rollOut(await signedIn(), place), runs: 1 },
    },
    storeUpTo: (count) => storeTargets(place, count),
    lists: {
      [`a page of ${PAGE}`]: () => ({
        read: async () => (await signedIn()).listPage(PAGE),
        expected: PAGE,
      }),
      all: (stored) => ({ read: async () => (await signedIn()).listAll(), expected: stored }),
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function connect(
  devices: Helper<PollingOrder>,
  { place, count }: { readonly place: GooseBitPlace; readonly count: number },
): Promise<void> {
  const registered = await devices.ask({ kind: 'connect', url: urlOf(place), count });
  if (registered !== count) throw new Error(`${registered} of ${count} devices registered`);
}

/** Migrations before each start, and one worker process, as in its container image. */
async function startServer(cleanup: AsyncDisposableStack, place: GooseBitPlace): Promise<number> {
  const { directory, dataDir, port } = place;
  const env = {
    ...process.env,
    GOOSEBIT_DB_URI: `postgres://postgres@/${DATABASE}`,
    GOOSEBIT_ARTIFACTS_DIR: join(dataDir, 'artifacts'),
    PGHOST: socketDirOf(place),
    GUNICORN_CMD_ARGS: '--workers 1',
  };
  const program = (name: string): string => join(directory, 'bin', name);
  const migrate = ['--config', join(directory, 'aerich.toml'), 'upgrade'];
  await run(program('aerich'), migrate, { cwd: dataDir, env });
  const child = spawn(
    program('gunicorn'),
    [
      '--worker-class',
      'uvicorn.workers.UvicornWorker',
      '--bind',
      `127.0.0.1:${port}`,
      'goosebit:app',
    ],
    { cwd: dataDir, env, stdio: 'ignore' },
  );
  cleanup.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  return child.pid ?? 0;
}

async function createDatabase(place: GooseBitPlace): Promise<void> {
  await using database = await openGooseBitDatabase(place, 'postgres');
  const found = await database.client.query('select from pg_database where datname = $1', [
    DATABASE,
  ]);
  if (found.rowCount === 0) await database.client.query(`create database ${DATABASE}`);
}

const isReady = (place: GooseBitPlace): Promise<boolean> =>
  fetch(`${urlOf(place)}/setup`).then(
    ({ ok }) => ok,
    () => false,
  );
