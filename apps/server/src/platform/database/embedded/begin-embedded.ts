import { access, chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../logging.ts';
import { StartError } from '../../process/start-error.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '../embedded-postgres.ts';
import { findPostgresBinaries } from '../postgres-binaries.ts';
import { upgradeFolders } from '../upgrade/upgrade-folders.ts';

export type EmbeddedSettings = Pick<Config, 'database' | 'dataDir'> &
  Partial<Pick<Config, 'backups'>>;

/** An embedded database that is starting. Disposing stops it, unless it was taken. */
export interface BegunDatabase extends AsyncDisposable {
  /** The caller must dispose it. */
  readonly take: () => Promise<EmbeddedPostgres>;
}

interface StartEmbeddedOptions extends Pick<EmbeddedPostgresOptions, 'exclusive' | 'onLaunch'> {
  readonly logger: Logger;
}

export async function startEmbedded(
  { dataDir, backups }: EmbeddedSettings,
  { logger, ...options }: StartEmbeddedOptions,
): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    ...{ dataDir, archives: backups !== undefined, ...options },
    onFault: (error) => logger.warn({ err: error }, 'embedded database stopped; restarting'),
  });
}

/**
 * Starts the embedded database while the server is still loading its code, which takes longer.
 *
 * @returns undefined if there is none, or it has to be upgraded first
 * @throws StartError
 */
export async function beginEmbedded(
  settings: EmbeddedSettings,
  logger: Logger,
): Promise<BegunDatabase | undefined> {
  const { database, dataDir } = settings;
  if (database.kind !== 'embedded') return undefined;
  await makeDataDir(dataDir);
  if (await mustUpgrade(dataDir)) return undefined;
  const { promise: launched, resolve: onLaunch } = Promise.withResolvers<void>();
  const starting = startEmbedded(settings, { logger, onLaunch });
  // Loading code blocks this thread, so it must not begin before the database does. An error is thrown to the taker.
  await Promise.race([launched, starting.catch(() => {})]);
  let isTaken = false;
  return {
    take() {
      isTaken = true;
      return starting;
    },
    async [Symbol.asyncDispose]() {
      if (isTaken) return;
      const started = await starting.catch(() => undefined);
      await started?.[Symbol.asyncDispose]();
    },
  };
}

/** Whether the cluster is of another major version, or an upgraded one has not taken its place yet. */
async function mustUpgrade(dataDir: string): Promise<boolean> {
  const { current, next } = upgradeFolders(dataDir);
  const isUpgraded = await access(next).then(
    () => true,
    () => false,
  );
  if (isUpgraded) return true;
  const version = await readFile(join(current, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) return false;
  const { major } = await findPostgresBinaries(join(dataDir, 'postgres-libraries'));
  return Number.parseInt(version, 10) !== major;
}

/**
 * PostgreSQL does not run as root. Its account must be able to traverse the folder, but not list
 * it.
 */
const DATA_DIR_MODE = process.getuid?.() === 0 ? 0o711 : 0o700;

export async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: DATA_DIR_MODE }).catch((error: Error) => {
    throw new StartError(
      `Cannot create the data folder (${error.message}). Choose another one with --data-dir (DEVICEPORTAL_DATA_DIR).`,
      { cause: error },
    );
  });
  // The folder may be from an earlier release or created manually. A folder of another account is
  // not changed.
  await chmod(dataDir, DATA_DIR_MODE).catch(() => {});
}
