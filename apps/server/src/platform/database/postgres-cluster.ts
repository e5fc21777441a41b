import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { archiveCommand, spoolDirOf } from '../backup/archive/wal-spool.ts';
import { StartError } from '../process/start-error.ts';
import { readDataSize } from './embedded/data-size.ts';
import { choosePostgresAccount, giveToAccount, type PostgresAccount } from './postgres-account.ts';
import {
  findPostgresBinaries,
  noPostgresHere,
  type PostgresBinaries,
} from './postgres-binaries.ts';
import { isPostgresProcess, readPostmasterFile } from './postmaster-file.ts';
import { sharedBuffersMb } from './embedded/shared-buffers.ts';
import { makePrivateDir, makeSocketDir, removeSocketDir, urlOf } from './postgres-socket.ts';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const INITDB_OPTIONS = [
  '--username=postgres',
  '--auth=trust',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--locale=C.UTF-8',
  '--no-sync',
] as const;

/** Location and account of a cluster. */
export interface Cluster {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly binaries: PostgresBinaries;
  readonly account: PostgresAccount;
  readonly durable: boolean;
  /** Whether finished segments of the write-ahead log are copied into `postgres-archive`. */
  readonly archives: boolean;
  /** Called when one of its programs was started. */
  readonly onLaunch?: (() => void) | undefined;
}

/** A running cluster. */
export interface RunningCluster {
  readonly pid: number;
  readonly socketDir: string;
}

export type ClusterOptions = Pick<Cluster, 'dataDir' | 'durable' | 'archives' | 'onLaunch'>;

/** Chooses programs and account. The cluster may not exist yet. */
export async function locateCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir } = options;
  await mkdir(dataDir, { recursive: true });
  const binaries = await findPostgresBinaries(join(dataDir, 'postgres-libraries'));
  const account = await choosePostgresAccount([dataDir, binaries.packageDir]);
  return { ...options, clusterDir: join(dataDir, 'postgres'), binaries, account };
}

export async function prepareCluster(options: ClusterOptions): Promise<Cluster> {
  const cluster = await locateCluster(options);
  const { dataDir, account } = cluster;
  if (cluster.archives) await makePrivateDir(spoolDirOf(dataDir), account);
  if (await exists(join(cluster.clusterDir, 'PG_VERSION'))) {
    await requireSameMajor(cluster);
    await giveToAccount(cluster.clusterDir, account);
  } else {
    await initialize(cluster);
  }
  return cluster;
}

async function requireSameMajor({ clusterDir, dataDir, binaries }: Cluster): Promise<void> {
  const major = Number.parseInt(await readFile(join(clusterDir, 'PG_VERSION'), 'utf8'), 10);
  if (major === binaries.major) return;
  throw new StartError(
    `The database in ${dataDir} is of PostgreSQL ${major}, and this release contains ${binaries.major}. Start the server, or run "npm run migrate", to upgrade it.`,
  );
}

/**
 * Initializes into a temporary folder, so that an interrupted start does not leave a partial
 * cluster.
 */
export async function initialize(
  cluster: Cluster,
  options: readonly string[] = INITDB_OPTIONS,
): Promise<void> {
  const draft = `${cluster.clusterDir}.new`;
  await rm(draft, { recursive: true, force: true });
  await makePrivateDir(draft, cluster.account);
  await runInitdb(cluster, [`--pgdata=${draft}`, ...options]);
  await rename(draft, cluster.clusterDir);
}

/** Makes the files of a stopped cluster durable. */
export const syncCluster = (cluster: Cluster): Promise<void> =>
  runInitdb(cluster, [`--pgdata=${cluster.clusterDir}`, '--sync-only']);

async function runInitdb(cluster: Cluster, args: readonly string[]): Promise<void> {
  const log = await openLog(cluster.dataDir);
  try {
    const initdb = launch(cluster, cluster.binaries.initdb, log.fd, args);
    const code = await new Promise<number | null>((done, fail) => {
      // A program built for another C library cannot be started at all.
      initdb.once('error', (error) => fail(noPostgresHere(error.message)));
      initdb.once('exit', done);
    });
    if (code !== 0) throw noPostgresHere(`initdb failed (${await lastLogLine(cluster.dataDir)})`);
  } finally {
    await log.close();
  }
}

export interface StartClusterOptions {
  /** Socket folder that clients of a restarted database use. */
  readonly earlierSocketDir?: string | undefined;
  /** Further settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: 60 s. */
  readonly limitMs?: number;
}

export async function startCluster(
  cluster: Cluster,
  { earlierSocketDir, settings: further, limitMs }: StartClusterOptions = {},
): Promise<RunningCluster> {
  const socketDir = await makeSocketDir(cluster, earlierSocketDir);
  const dataBytes = await readDataSize(cluster.dataDir, cluster.clusterDir);
  const buffersMb = sharedBuffersMb({ dataBytes, memoryBytes: usableMemoryBytes() });
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    shared_buffers: `${buffersMb}MB`,
    random_page_cost: '1.1',
    // After a checkpoint, each page is logged in full once. A burst of status changes then writes
    // 200 MB per second, and creating WAL files takes as long as writing them. Existing files are
    // reused.
    min_wal_size: '512MB',
    jit: 'off',
    ...(cluster.durable
      ? {}
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...(cluster.archives
      ? { archive_mode: 'on', archive_command: archiveCommand(cluster.dataDir) }
      : {}),
    ...further,
  };
  const log = await openLog(cluster.dataDir);
  try {
    const child = launch(cluster, cluster.binaries.postgres, log.fd, [
      '-D',
      cluster.clusterDir,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    let failure: Error | undefined;
    child.once('error', (error) => (failure = error));
    child.unref();
    await waitUntilReady(
      socketDir,
      async () => failure === undefined && child.exitCode === null && child.signalCode === null,
      cluster.clusterDir,
      limitMs,
    );
    const found = await readPostmasterFile(cluster.clusterDir);
    if (found === undefined) throw noPostgresHere('postmaster.pid not found');
    return { pid: found.pid, socketDir };
  } catch (error) {
    await removeSocketDir(socketDir);
    throw error;
  } finally {
    await log.close();
  }
}

function usableMemoryBytes(): number {
  const limitBytes = process.constrainedMemory();
  return limitBytes > 0 ? Math.min(limitBytes, totalmem()) : totalmem();
}

/**
 * Starts the program in a new session, so that Ctrl-C does not reach it: the server drains first
 * and then stops its database.
 */
function launch(cluster: Cluster, program: string, logFd: number, args: readonly string[]) {
  const [first = program, ...rest] = [...cluster.account.prefix, program, ...args];
  const { uid, gid } = cluster.account;
  const child = spawn(first, rest, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', logFd, logFd],
    env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C', ...cluster.binaries.environment },
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
  });
  cluster.onLaunch?.();
  return child;
}

export async function waitUntilReady(
  socketDir: string,
  isAlive: () => Promise<boolean>,
  clusterDir: string,
  limitMs = START_LIMIT_MS,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const client = new pg.Client({ connectionString: urlOf(socketDir, 'postgres') });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (!(await isAlive())) {
        throw noPostgresHere(`PostgreSQL ended (${await lastLogLine(resolve(clusterDir, '..'))})`);
      }
      if (Date.now() > deadline) {
        throw new StartError(`PostgreSQL in ${clusterDir} does not respond`, { cause: error });
      }
    }
    await sleep(15);
  }
}

export async function stopCluster(
  clusterDir: string,
  pid: number,
  socketDir: string,
): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown: it ends sessions and writes a checkpoint, so that no
  // recovery is needed.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      break;
    }
    const deadline = Date.now() + STOP_LIMIT_MS;
    while (Date.now() < deadline && (await isPostgresProcess(pid))) await sleep(15);
    if (!(await isPostgresProcess(pid))) break;
  }
  if ((await readPostmasterFile(clusterDir))?.pid === pid) {
    await rm(join(clusterDir, 'postmaster.pid'), { force: true });
  }
  await removeSocketDir(socketDir);
}

async function openLog(dataDir: string) {
  const path = join(dataDir, 'postgres.log');
  const size = (await exists(path)) ? (await stat(path)).size : 0;
  return open(path, size > LOG_LIMIT_BYTES ? 'w' : 'a', 0o600);
}

async function lastLogLine(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'postgres.log'), 'utf8').catch(() => '');
  return text.trim().split('\n').at(-1) || 'log file not found';
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
