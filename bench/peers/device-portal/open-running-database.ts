import { openPersonalKeys } from '../../../apps/server/src/personal-data/keys/personal-keys-of.ts';
import {
  openDatabase,
  type Database,
} from '../../../apps/server/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../../apps/server/src/platform/database/embedded-postgres.ts';

/** The database of the running server, as the owner of its tables. */
export async function openRunningDatabase(
  resources: AsyncDisposableStack,
  dataDir: string,
): Promise<Database> {
  const cluster = resources.use(await startEmbeddedPostgres({ dataDir, exclusive: false }));
  const database = resources.use(openDatabase({ url: cluster.url, maxConnections: 2 }));
  openPersonalKeys(database, new Uint8Array(32));
  return database;
}
