import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import { openPersonalKeys } from '../../apps/server/src/personal-data/keys/personal-keys-of.ts';
import { openDatabase, type Database } from '../../apps/server/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded-postgres.ts';
import { migrateDatabase } from '../../apps/server/src/platform/database/migrate-database.ts';
import type { Viewer } from '../../apps/server/src/platform/viewer.ts';
import { administrator } from './administrator.ts';
import { openDataDir } from './open-data-dir.ts';

/** An administrator within a scope. */
export const within = (scope: Partial<Scope>): Viewer => ({
  ...administrator,
  grants: administrator.grants.map(({ permissions }) => ({
    permissions,
    scope: { ...everywhere, ...scope },
  })),
});

/** A viewer limited to one country and label: a fifth of the fleet. */
export const inPoland: Viewer = within({ countries: ['PL'], labels: { env: 'prod' } });

export interface FleetFixtureOptions {
  /** Folder for reusing the database; undefined for a temporary one. */
  readonly keepIn: string | undefined;
  readonly maxConnections: number;
  /** Called if there are no devices yet. */
  readonly fill: (database: Database) => Promise<void>;
}

/** A separate, migrated database with a fleet. Disposing stops it. */
export async function openFleetFixture(
  options: FleetFixtureOptions,
): Promise<AsyncDisposable & { readonly database: Database; readonly filledMs: number }> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await openDataDir(cleanup, options.keepIn);
  const server = cleanup.use(await startEmbeddedPostgres({ dataDir }));
  const { maxConnections } = options;
  const database = cleanup.use(openDatabase({ url: server.url, maxConnections }));
  openPersonalKeys(database, new Uint8Array(32));
  await migrateDatabase(database);
  const startedMs = performance.now();
  const { rowCount } = await database.pool.query('select from device limit 1');
  if (rowCount === 0) await options.fill(database);
  const filledMs = performance.now() - startedMs;
  const owned = cleanup.move();
  return { database, filledMs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
