import { requireFinishedRestore } from '../backup/unfinished-restore.ts';
import type { Config, DatabaseConfig } from '../config/config.ts';
import type { Logger } from '../logging.ts';
import { StartError } from '../process/start-error.ts';
import {
  databaseSettingsOf,
  openDatabaseAccess,
  type DatabaseAccesses,
} from './database-access.ts';
import { makeDataDir, startEmbedded, type BegunDatabase } from './embedded/begin-embedded.ts';
import { openDatabase, type Database } from './database.ts';
import {
  migrateDatabase,
  readMigrationVersion,
  readNewestMigration,
  type MigrationStep,
} from './migrate-database.ts';
import type { DatabaseAccess } from './connections/open-pool.ts';
import { upgradeDatabase } from './upgrade/upgrade-database.ts';
import { grantRuntime, isLeastPrivileged } from './runtime-role.ts';

export interface OpenDatabaseOnlyOptions {
  readonly logger: Logger;
  /** False if another server may be running. Default: true. */
  readonly exclusive?: boolean;
  /** The embedded database, if it is already starting. */
  readonly begun?: BegunDatabase | undefined;
}

type DatabaseSettings = Pick<Config, 'database' | 'dataDir'> &
  Partial<Pick<Config, 'backups' | 'earlierPostgres'>>;

export interface OpenedDatabase {
  /** With the server's role. */
  readonly database: Database;
}

export interface MigratedDatabase extends OpenedDatabase {
  /** False if the server's role can change the audit trail. */
  readonly leastPrivilege: boolean;
}

/**
 * Opens the database with the server's role, after migrating it with the owner's role.
 * @throws StartError if its schema is of another release and no owner is configured, or its restore
 * is unfinished
 */
export async function openMigrated(
  resources: AsyncDisposableStack,
  config: DatabaseSettings,
  options: OpenDatabaseOnlyOptions & { readonly migrations: readonly MigrationStep[] },
): Promise<MigratedDatabase> {
  await upgradeEmbedded(config, options);
  const access = await locateDatabase(resources, config, options);
  const database = await open(resources, config, { ...options, access: access.runtime });
  if (access.owner !== undefined) {
    await using ownResources = new AsyncDisposableStack();
    const owner = await open(ownResources, config, { ...options, access: access.owner });
    await migrateAsOwner({ owner, runtime: database }, options.migrations);
  } else if (await isLeastPrivileged(database.pool)) {
    await requireThisRelease(database, config.database, options.migrations);
  } else {
    await requireMaker(database, config.database);
    await migrateDatabase(database, options.migrations);
  }
  await requireFinishedRestore(database.pool, config.dataDir);
  const leastPrivilege = await isLeastPrivileged(database.pool);
  return { database, leastPrivilege };
}

/**
 * Upgrades an embedded database of an earlier major version of PostgreSQL.
 * @throws StartError
 */
export async function upgradeEmbedded(
  { database, dataDir, earlierPostgres }: DatabaseSettings,
  {
    migrations,
    logger,
  }: OpenDatabaseOnlyOptions & { readonly migrations: readonly MigrationStep[] },
): Promise<void> {
  if (database.kind !== 'embedded') return;
  const print = (line: string): void => logger.info(line);
  await upgradeDatabase({ dataDir, earlierPostgres, migrations, print });
}

/** Opens the database with the server's role, without migrating it. */
export async function openUnmigrated(
  resources: AsyncDisposableStack,
  config: DatabaseSettings,
  options: OpenDatabaseOnlyOptions,
): Promise<OpenedDatabase> {
  const access = await locateDatabase(resources, config, options);
  const database = await open(resources, config, { ...options, access: access.runtime });
  return { database };
}

/** Opens the database with the owner's role, without migrating it, for restore. */
export async function openAsOwner(
  resources: AsyncDisposableStack,
  config: DatabaseSettings,
  options: OpenDatabaseOnlyOptions,
): Promise<{ readonly owner: Database; readonly runtime: Database }> {
  const access = await locateDatabase(resources, config, options);
  const runtime = await open(resources, config, { ...options, access: access.runtime });
  if (access.owner === undefined) return { owner: runtime, runtime };
  return { owner: await open(resources, config, { ...options, access: access.owner }), runtime };
}

/**
 * Migrates the database, then grants privileges to the server's role unless there is only one role.
 */
export async function migrateAsOwner(
  { owner, runtime }: { readonly owner: Database; readonly runtime: Pick<Database, 'pool'> },
  migrations: readonly MigrationStep[],
): Promise<void> {
  await migrateDatabase(owner, migrations);
  await grantTo(owner, runtime);
}

/** Also required after a restore, whose migrations create the tables again. */
export async function grantTo(owner: Database, runtime: Pick<Database, 'pool'>): Promise<void> {
  const roleOf = async ({ pool }: Pick<Database, 'pool'>): Promise<string> =>
    (await pool.query<{ role: string }>('select current_user as role')).rows[0]?.role ?? '';
  const role = await roleOf(runtime);
  if (role === (await roleOf(owner))) return;
  const client = await owner.pool.connect();
  try {
    // Serialized, because PostgreSQL rejects concurrent grants.
    await client.query("select pg_advisory_lock(hashtext('grant-runtime'))");
    await grantRuntime(client, role);
  } finally {
    client.release(true);
  }
}

function roleLines({ kind }: DatabaseConfig): { readonly role: string; readonly migrate: string } {
  const { runtime, owner } = databaseSettingsOf[kind === 'embedded' ? 'url' : kind];
  return { role: `the role in ${runtime}`, migrate: `Run "npm run migrate" with ${owner} set.` };
}

async function requireThisRelease(
  { pool }: Database,
  config: DatabaseConfig,
  migrations: readonly MigrationStep[],
): Promise<void> {
  const [found, wanted] = [await readMigrationVersion(pool), await readNewestMigration()];
  if (found >= wanted && (await haveRun(pool, migrations))) return;
  const { role, migrate } = roleLines(config);
  throw new StartError(
    `The database schema is from an earlier release, and ${role} cannot change its tables. ${migrate}`,
  );
}

async function haveRun(
  pool: Database['pool'],
  migrations: readonly MigrationStep[],
): Promise<boolean> {
  for (const step of migrations) {
    const [found = '', newest = ''] = [await step.readVersion(pool), (await step.readAll()).at(-1)];
    if (found < newest) return false;
  }
  return true;
}

/** With two roles, the server's role cannot create the tables of an empty database. */
async function requireMaker({ pool }: Database, config: DatabaseConfig): Promise<void> {
  const { rows } = await pool.query<{ may: boolean }>(
    `select to_regclass('public.audit_event') is not null
       or has_database_privilege(current_database(), 'create') as may`,
  );
  if (rows[0]?.may === true) return;
  const { role, migrate } = roleLines(config);
  throw new StartError(`The database is empty, and ${role} cannot create its tables. ${migrate}`);
}

async function open(
  resources: AsyncDisposableStack,
  config: DatabaseSettings,
  { access, logger }: OpenDatabaseOnlyOptions & { readonly access: DatabaseAccess },
): Promise<Database> {
  const database = resources.use(
    openDatabase({
      access,
      // Only the message: the error object contains the whole client.
      onError: ({ message }) => logger.warn({ reason: message }, 'database connection lost'),
    }),
  );
  await reachDatabase(database, config);
  return database;
}

async function locateDatabase(
  resources: AsyncDisposableStack,
  settings: DatabaseSettings,
  { logger, exclusive = true, begun }: OpenDatabaseOnlyOptions,
): Promise<DatabaseAccesses> {
  const { database, dataDir } = settings;
  await makeDataDir(dataDir);
  if (database.kind !== 'embedded') {
    return openDatabaseAccess(database, (error) =>
      logger.warn({ reason: String(error) }, 'database credentials could not be read'),
    );
  }
  const server = resources.use(
    await (begun?.take() ?? startEmbedded(settings, { logger, exclusive })),
  );
  const accessBy = (url: string): DatabaseAccess => ({ connection: { connectionString: url } });
  return { runtime: accessBy(server.runtimeUrl), owner: accessBy(server.url) };
}

async function reachDatabase(database: Database, config: Pick<Config, 'database'>): Promise<void> {
  try {
    await database.pool.query('select 1');
  } catch (error) {
    const { kind } = config.database;
    if (kind === 'embedded' || error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : 'no answer';
    const place = kind === 'url' ? '' : 'DEVICEPORTAL_DATABASE_HOST with ';
    throw new StartError(
      `Cannot connect to ${place}${databaseSettingsOf[kind].runtime}: ${reason}`,
      {
        cause: error,
      },
    );
  }
}
