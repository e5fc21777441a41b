import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createLocalChangeFeed, type ChangeFeed } from './change-feed.ts';
import type { Config } from './config/config.ts';
import { openDatabase, type Database } from './database/database.ts';
import { startEmbeddedPostgres } from './database/embedded-postgres.ts';
import { migrateDatabase, type MigrationStep } from './database/migrate-database.ts';
import { freezePublicUrl } from './freeze-setting.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { findFreePort } from './http/find-free-port.ts';
import { createJobs } from './jobs/jobs.ts';
import type { Logger } from './logging.ts';
import { createMetrics, measureDatabase, type Metrics } from './metrics.ts';
import type { Platform } from './platform.ts';
import { createReadinessBoard } from './readiness-board.ts';
import { openSharedChangeFeed } from './shared-change-feed.ts';
import { StartError } from './start-error.ts';

const PORTAL_DIR = fileURLToPath(new URL('../../../portal/dist', import.meta.url));

export interface OpenPlatformOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Migrations of other packages in the same database. */
  readonly migrations: readonly MigrationStep[];
}

/**
 * Opens everything that knows no noun. What it opens is closed by `resources`, in reverse order.
 * Nothing listens and no job runs yet: slices are added first.
 */
export async function openPlatform(
  resources: AsyncDisposableStack,
  { config, logger, migrations }: OpenPlatformOptions,
): Promise<Platform> {
  const metrics = createMetrics();
  const readiness = createReadinessBoard();
  const { database, databaseUrl } = await openMigrated(resources, config, { logger, migrations });
  measureDatabase(metrics, database);
  readiness.check('database', async () => void (await database.pool.query('select 1')));
  const port = config.port === 0 ? await findFreePort(config.host) : config.port;
  const publicUrl = await freezePublicUrl(database, { publicUrl: config.publicUrl, port });
  return {
    config,
    port,
    publicUrl,
    logger,
    metrics,
    readiness,
    database,
    databaseUrl,
    changes: await openChanges(resources, { config, database, databaseUrl, logger, metrics }),
    jobs: resources.use(
      createJobs({ databaseUrl, logger, metrics, work: config.roles.has('worker') }),
    ),
    http: await createHttpServer({ config, logger, metrics, readiness, portalDir: PORTAL_DIR }),
  };
}

/** The database alone, brought to this release, for commands that run beside a server or without one. */
export async function openMigrated(
  resources: AsyncDisposableStack,
  config: Pick<Config, 'database' | 'dataDir'>,
  options: OpenDatabaseOnlyOptions & { readonly migrations: readonly MigrationStep[] },
): Promise<{ database: Database; databaseUrl: string }> {
  const opened = await openUnmigrated(resources, config, options);
  await migrateDatabase(opened.database, options.migrations);
  return opened;
}

export interface OpenDatabaseOnlyOptions {
  readonly logger: Logger;
  /** False: beside a running server. Default true. */
  readonly exclusive?: boolean;
}

/** The database as it is. */
export async function openUnmigrated(
  resources: AsyncDisposableStack,
  config: Pick<Config, 'database' | 'dataDir'>,
  options: OpenDatabaseOnlyOptions,
): Promise<{ database: Database; databaseUrl: string }> {
  const databaseUrl = await locateDatabase(resources, config, options);
  const database = resources.use(
    openDatabase({
      url: databaseUrl,
      // Not the error itself: it carries the whole client.
      onError: ({ message }) =>
        options.logger.warn({ reason: message }, 'database connection lost'),
    }),
  );
  await reachDatabase(database, config);
  return { database, databaseUrl };
}

async function locateDatabase(
  resources: AsyncDisposableStack,
  { database, dataDir }: Pick<Config, 'database' | 'dataDir'>,
  { logger, exclusive = true }: OpenDatabaseOnlyOptions,
): Promise<string> {
  await mkdir(dataDir, { recursive: true }).catch((error: Error) => {
    throw new StartError(
      `The data folder cannot be made (${error.message}); choose another with --data-dir (DEVICEPORTAL_DATA_DIR).`,
      { cause: error },
    );
  });
  if (database.kind === 'external') return database.url;
  const onFault = (error: unknown): void =>
    logger.warn({ err: error }, 'the embedded database is away; it is started again');
  return resources.use(await startEmbeddedPostgres({ dataDir, exclusive, onFault })).url;
}

async function reachDatabase(database: Database, config: Pick<Config, 'database'>): Promise<void> {
  try {
    await database.pool.query('select 1');
  } catch (error) {
    if (config.database.kind === 'embedded') throw error;
    const reason = error instanceof Error ? error.message : 'no answer';
    throw new StartError(`DEVICEPORTAL_DATABASE_URL cannot be reached: ${reason}`, {
      cause: error,
    });
  }
}

/** Only an external database can have other servers on it. */
async function openChanges(
  resources: AsyncDisposableStack,
  parts: Pick<Platform, 'config' | 'database' | 'databaseUrl' | 'logger' | 'metrics'>,
): Promise<ChangeFeed> {
  const onError = (error: unknown): void => reportUnexpected(parts, error);
  const local = createLocalChangeFeed(onError);
  if (parts.config.database.kind === 'embedded') return local;
  return resources.use(await openSharedChangeFeed({ ...parts, local, onError }));
}

function reportUnexpected(
  { logger, metrics }: { logger: Logger; metrics: Metrics },
  error: unknown,
): void {
  metrics.logErrors.inc();
  logger.error({ err: error }, 'a listener of the change feed failed');
}
