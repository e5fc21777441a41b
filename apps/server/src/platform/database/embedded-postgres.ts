import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../process/start-error.ts';
import { keepDataSize, recordDataSize } from './embedded/data-size.ts';
import { ownDatabase, type OwnedDatabase } from './own-database.ts';
import {
  prepareCluster,
  startCluster,
  stopCluster,
  waitUntilReady,
  type RunningCluster,
} from './postgres-cluster.ts';
import { removeSocketDir, urlOf } from './postgres-socket.ts';
import { EMBEDDED_RUNTIME_ROLE } from './runtime-role.ts';
import { isPostgresProcess, readPostmasterFile } from './postmaster-file.ts';

export interface EmbeddedPostgresOptions {
  /** Contains the cluster (`postgres/`) and its log (`postgres.log`). */
  readonly dataDir: string;
  /** Further settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
  /** False trades durability for speed; for tests only. */
  readonly durable?: boolean;
  /**
   * True (default): this process owns the database and does not start if there is another owner.
   * False: uses the database of a running server and leaves it running, or starts it while it is
   * needed.
   */
  readonly exclusive?: boolean;
  /** Whether finished segments of the write-ahead log are archived. Default: false. */
  readonly archives?: boolean;
  /** Called when the owned database exited unexpectedly, and when restarting it failed. */
  readonly onFault?: (error: unknown) => void;
  /** Called when the first program of the database was started, or the database was adopted. */
  readonly onLaunch?: () => void;
}

export interface EmbeddedPostgres extends AsyncDisposable {
  /** URL for any `pg` client; the database exists. */
  readonly url: string;
  /** The same with the server's role, which owns nothing. */
  readonly runtimeUrl: string;
  readonly pid: number;
  /** True if the database of an earlier server was still running. */
  readonly adopted: boolean;
}

export const DATABASE_NAME = 'deviceportal';
const OWNER_LOCK = 7_314_900_001;

/**
 * Starts PostgreSQL from the npm package on a Unix socket that only this account can access, or
 * adopts the running database of a killed server on the same data folder. Its owner restarts it at
 * the same address whenever it exits. Disposing stops it after its clients have disconnected.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const clusterDir = join(dataDir, 'postgres');
  const start = async (socketDir?: string): Promise<RunningCluster> =>
    startCluster(
      await prepareCluster({
        dataDir,
        durable: options.durable ?? true,
        archives: options.archives ?? false,
        onLaunch: options.onLaunch,
      }),
      {
        earlierSocketDir: socketDir,
        ...(options.settings === undefined ? {} : { settings: options.settings }),
      },
    );
  const adopted = await findRunning(clusterDir);
  if (adopted !== undefined) options.onLaunch?.();
  let cluster = adopted ?? (await start());
  const url = urlOf(cluster.socketDir, DATABASE_NAME);
  const mayStop = adopted === undefined || (options.exclusive ?? true);
  const revive = async (): Promise<void> => {
    cluster = (await findRunning(clusterDir)) ?? (await start(cluster.socketDir));
  };
  try {
    await createDatabase(cluster.socketDir);
    const owned: OwnedDatabase | undefined =
      options.exclusive === false
        ? undefined
        : await ownDatabase({ claim: () => claimOwnership(url, dataDir), revive, ...options });
    const sizes = owned && keepDataSize(dataDir, clusterDir);
    return {
      url,
      runtimeUrl: urlOf(cluster.socketDir, DATABASE_NAME, EMBEDDED_RUNTIME_ROLE),
      get pid() {
        return cluster.pid;
      },
      adopted: adopted !== undefined,
      async [Symbol.asyncDispose]() {
        await sizes?.[Symbol.asyncDispose]();
        await owned?.[Symbol.asyncDispose]();
        if (mayStop) await stopCluster(clusterDir, cluster.pid, cluster.socketDir);
        if (owned) await recordDataSize(dataDir, clusterDir).catch(() => {});
      },
    };
  } catch (error) {
    if (adopted === undefined) await stopCluster(clusterDir, cluster.pid, cluster.socketDir);
    throw error;
  }
}

/** The cluster that a killed server has left running. */
export async function findRunning(clusterDir: string): Promise<RunningCluster | undefined> {
  const found = await readPostmasterFile(clusterDir);
  if (found === undefined) return undefined;
  if (!(await isPostgresProcess(found.pid))) {
    // A leftover file whose process ID may belong to another program. PostgreSQL would refuse to
    // start.
    await rm(join(clusterDir, 'postmaster.pid'), { force: true });
    await removeSocketDir(found.socketDir);
    return undefined;
  }
  await waitUntilReady(found.socketDir, () => isPostgresProcess(found.pid), clusterDir);
  return found;
}

/** Also the role of the server. */
export async function createDatabase(socketDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(socketDir, 'postgres') });
  await client.connect();
  try {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE_NAME]);
    await ensureRuntimeRole(client);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE_NAME}`);
  } catch (error) {
    const duplicate = '42P04';
    if ((error as { code?: string }).code !== duplicate) throw error;
  } finally {
    await client.end();
  }
}

/** Also for clusters of a release in which the server was superuser. */
export async function ensureRuntimeRole(client: pg.ClientBase): Promise<void> {
  await client.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${EMBEDDED_RUNTIME_ROLE}') then
      create role ${EMBEDDED_RUNTIME_ROLE} login nosuperuser nocreatedb nocreaterole;
      -- Whether a transaction of another role still runs is asked before versions are restated.
      grant pg_read_all_stats to ${EMBEDDED_RUNTIME_ROLE};
    end if;
  exception when duplicate_object or unique_violation then null;
  end $$`);
}

/**
 * An advisory lock on a separate connection, which ends with the process.
 * @throws StartError while another server has it
 */
export async function claimOwnership(url: string, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'device-portal owner' });
  client.on('error', () => {});
  await client.connect();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1) as mine',
      [OWNER_LOCK],
    );
    if (answer.rows[0]?.mine) return client;
    await sleep(50);
  }
  await client.end();
  throw new StartError(
    `Another server is using the data folder ${dataDir}. Stop it, or choose another folder with --data-dir.`,
  );
}
