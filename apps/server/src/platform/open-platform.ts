import { fileURLToPath } from 'node:url';
import { createLocalChangeFeed, type ChangeFeed } from './change-feed.ts';
import type { Config } from './config/config.ts';
import type { BegunDatabase } from './database/embedded/begin-embedded.ts';
import type { MigrationStep } from './database/migrate-database.ts';
import { directoryPlace } from './files/open-file-place.ts';
import { openFilePlaces, openFiles, type FilePlaces } from './files/open-files.ts';
import { requireOwnPlace } from './files/require-own-place.ts';
import { requireUsablePlace } from './files/require-usable-place.ts';
import { freezePublicUrl } from './freeze-setting.ts';
import { createHttpServer } from './http/create-http-server.ts';
import { findFreePort } from './http/find-free-port.ts';
import { createJobs } from './jobs/jobs.ts';
import { openMigrated } from './database/open-migrated.ts';
import type { Logger } from './logging.ts';
import { measureDatabase, type Metrics } from './metrics.ts';
import type { Platform } from './platform.ts';
import { createReadinessBoard } from './readiness-board.ts';
import { openSharedChangeFeed } from './shared-change-feed.ts';

const PORTAL_DIR = fileURLToPath(new URL('../../../portal/dist', import.meta.url));

export interface OpenPlatformOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Migrations of other packages in the same database. */
  readonly migrations: readonly MigrationStep[];
  /** The embedded database, if it is already starting. */
  readonly begun?: BegunDatabase | undefined;
}

/**
 * Opens everything without domain logic. `resources` closes it in reverse order. Nothing listens
 * and no job runs until slices are added.
 */
export async function openPlatform(
  resources: AsyncDisposableStack,
  { config, logger, metrics, migrations, begun }: OpenPlatformOptions,
): Promise<Platform> {
  const places = await openUsablePlaces(config);
  const readiness = createReadinessBoard();
  const { database, leastPrivilege } = await openMigrated(resources, config, {
    logger,
    migrations,
    begun,
  });
  if (usesFiles(config)) {
    const folder = directoryPlace(config.dataDir, places.files.setting);
    await requireOwnPlace(database, places.files, { folder });
  }
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
    leastPrivilege,
    changes: await openChanges(resources, { config, database, logger, metrics }),
    files: openFiles(places, config),
    jobs: resources.use(
      createJobs({ database, logger, metrics, work: config.roles.has('worker') }),
    ),
    http: await createHttpServer({ config, logger, metrics, readiness, portalDir: PORTAL_DIR }),
  };
}

const usesFiles = ({ roles }: Config): boolean => roles.has('web') || roles.has('worker');

async function openUsablePlaces(config: Config): Promise<FilePlaces> {
  const places = await openFilePlaces(config);
  if (!usesFiles(config)) return places;
  for (const name of ['files', 'reports'] as const) {
    if (config[name].kind === 's3') await requireUsablePlace(places[name]);
  }
  return places;
}

/** Only an external database can be shared by several servers. */
async function openChanges(
  resources: AsyncDisposableStack,
  parts: Pick<Platform, 'config' | 'database' | 'logger' | 'metrics'>,
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
  logger.error({ err: error }, 'change feed listener failed');
}
