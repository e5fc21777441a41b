import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../process/start-error.ts';
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
  /** Holds the cluster (`postgres/`) and its log (`postgres.log`). */
  readonly dataDir: string;
  /** False gives up durability for speed; for tests only. */
  readonly durable?: boolean;
  /**
   * True (default): this process owns the database and refuses to start beside another owner.
   * False: use the database of a running server and leave it running, or start it for as long as this is needed.
   */
  readonly exclusive?: boolean;
  /** Told when the owned database ended by itself, and why it could not be started again yet. */
  readonly onFault?: (error: unknown) => void;
}

export interface EmbeddedPostgres extends AsyncDisposable {
  /** For any `pg` client; the database in it exists. */
  readonly url: string;
  /** The same with the role of the server, which owns nothing. */
  readonly runtimeUrl: string;
  readonly pid: number;
  /** True when a database that an earlier server left behind was found running. */
  readonly adopted: boolean;
}

const DATABASE_NAME = 'deviceportal';
const OWNER_LOCK = 7_314_900_001;

/**
 * Starts PostgreSQL from the npm package on a unix socket that only this account may reach, or adopts the one that a
 * killed server left running on the same data folder. Its owner starts it again whenever it ends by itself, at the
 * same address. Disposing stops it after its clients are gone.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const clusterDir = join(dataDir, 'postgres');
  const start = async (socketDir?: string): Promise<RunningCluster> =>
    startCluster(await prepareCluster(dataDir, options.durable ?? true), socketDir);
  const adopted = await findRunning(clusterDir);
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
    return {
      url,
      runtimeUrl: urlOf(cluster.socketDir, DATABASE_NAME, EMBEDDED_RUNTIME_ROLE),
      get pid() {
        return cluster.pid;
      },
      adopted: adopted !== undefined,
      async [Symbol.asyncDispose]() {
        await owned?.[Symbol.asyncDispose]();
        if (mayStop) await stopCluster(clusterDir, cluster.pid, cluster.socketDir);
      },
    };
  } catch (error) {
    if (adopted === undefined) await stopCluster(clusterDir, cluster.pid, cluster.socketDir);
    throw error;
  }
}

async function findRunning(clusterDir: string): Promise<RunningCluster | undefined> {
  const found = await readPostmasterFile(clusterDir);
  if (found === undefined) return undefined;
  if (!(await isPostgresProcess(found.pid))) {
    // A leftover whose process id another program may have got by now: PostgreSQL would refuse to start beside it.
    await rm(join(clusterDir, 'postmaster.pid'), { force: true });
    await removeSocketDir(found.socketDir);
    return undefined;
  }
  await waitUntilReady(found.socketDir, () => isPostgresProcess(found.pid), clusterDir);
  return found;
}

async function createDatabase(socketDir: string): Promise<void> {
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

/** Also for a cluster of a release in which the server was its superuser. */
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

/** An advisory lock on a connection of its own: it ends with the process, however that ends. */
async function claimOwnership(url: string, dataDir: string): Promise<pg.Client> {
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
    `Another server uses the data folder ${dataDir}. Stop it, or choose another folder with --data-dir.`,
  );
}
