import { access, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../database/database.ts';
import { urlOf } from '../../database/postgres-socket.ts';
import { migrateDatabase, type MigrationStep } from '../../database/migrate-database.ts';
import { grantTo } from '../../database/open-migrated.ts';
import { EMBEDDED_RUNTIME_ROLE } from '../../database/runtime-role.ts';
import { flushFolder } from '../../files/flush-folder.ts';
import type { FilePlace } from '../../files/file-place.ts';
import { StartError } from '../../process/start-error.ts';
import { asDamaged, DamagedBackup } from '../refused-backup.ts';
import { RestoredFiles } from '../restored-files.ts';
import {
  inOneTransaction,
  type LoadedBackup,
  type RestoreBackupOptions,
} from '../restore-backup.ts';
import { findRestorable } from './find-restorable.ts';
import { recoverCluster } from './recover-cluster.ts';
import { restoreKeptFiles } from './restore-kept-files.ts';

export interface RestoreToTimeOptions {
  readonly place: FilePlace;
  readonly identities: readonly string[];
  /** Undefined for the last stored change. */
  readonly to: Date | undefined;
  readonly dataDir: string;
  readonly migrations: readonly MigrationStep[];
  /** How the restored database is verified. */
  readonly compose: (
    database: Database,
  ) => Promise<Pick<RestoreBackupOptions, 'prove' | 'onRestored'>>;
  readonly now: Date;
}

/**
 * Restores the embedded database and its files to a point in time, into a new data folder, and verifies it. A server starts
 * on it only when this is complete; an interrupted restore is repeated from its beginning.
 *
 * @returns when the complete copy that was used was made
 * @throws StartError
 */
export async function restoreToTime(options: RestoreToTimeOptions): Promise<Date> {
  const { place, identities, to, dataDir, migrations, now } = options;
  await requireNoCluster(dataDir);
  const found = await findRestorable(place, identities, to);
  await using files = await RestoredFiles.begin(dataDir);
  const { chain } = found;
  const kept = await restoreKeptFiles({ place, chain, identities, to, aside: files.aside }).catch(
    (error: unknown) => {
      throw error instanceof DamagedBackup ? asDamaged('A file of the backup', error) : error;
    },
  );
  let clusterDir: string;
  {
    await using cluster = await recoverCluster(found, { dataDir, identities, to });
    clusterDir = cluster.clusterDir;
    await using database = openAt(urlOf(cluster.socketDir, 'deviceportal'));
    await migrateDatabase(database, migrations);
    const header: LoadedBackup['header'] = {
      version: 3,
      createdAt: (to ?? now).toISOString(),
      auditKeys: found.manifest.auditKeys,
    };
    const { prove, onRestored } = await options.compose(database);
    const signatures = [found.signature, ...kept, ...cluster.signatures];
    await prove({ header, signatures, aside: files.aside });
    await files.keep();
    await inOneTransaction(database.pool, (client) => onRestored(client, header));
    await using runtime = openAt(urlOf(cluster.socketDir, 'deviceportal', EMBEDDED_RUNTIME_ROLE));
    await grantTo(database, runtime);
  }
  await rename(clusterDir, join(dataDir, 'postgres'));
  await flushFolder(dataDir);
  return new Date(found.manifest.startedAt);
}

const openAt = (connectionString: string): Database =>
  openDatabase({ access: { connection: { connectionString } }, onError: () => {} });

async function requireNoCluster(dataDir: string): Promise<void> {
  const isThere = await access(join(dataDir, 'postgres')).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  throw new StartError(
    `${dataDir} already contains a database. Restore into a new folder: --data-dir.`,
  );
}
