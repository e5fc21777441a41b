import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinRoles, everywhere } from '@deviceportal/contract/permissions';
import { openDatabase, type Database } from '../../apps/server/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded-postgres.ts';
import { migrateDatabase } from '../../apps/server/src/platform/database/migrate-database.ts';
import type { Viewer } from '../../apps/server/src/platform/viewer.ts';

/** Who sees everything. */
export const administrator: Viewer = {
  userId: '00000000-0000-7000-8000-000000000001',
  subject: 'bench',
  username: 'bench',
  displayName: 'Bench',
  email: null,
  roles: ['Administrator'],
  grants: builtinRoles.filter((role) => role.name === 'Administrator'),
  admitted: true,
  signedInAt: new Date(),
};

/** Who sees one country and label: a fifth of the fleet. */
export const inPoland: Viewer = {
  ...administrator,
  grants: administrator.grants.map(({ permissions }) => ({
    permissions,
    scope: { ...everywhere, countries: ['PL'], labels: { env: 'prod' } },
  })),
};

export interface FleetBedOptions {
  /** Where what was filled is kept for the next measurement; undefined for a temporary place. */
  readonly keepIn: string | undefined;
  readonly maxConnections: number;
  /** Called where there is no device yet. */
  readonly fill: (database: Database) => Promise<void>;
}

/** A migrated database of its own with a fleet in it. Disposing stops it. */
export async function openFleetBed(
  options: FleetBedOptions,
): Promise<AsyncDisposable & { readonly database: Database; readonly filledMs: number }> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await openDataDir(cleanup, options.keepIn);
  const server = cleanup.use(await startEmbeddedPostgres({ dataDir }));
  const { maxConnections } = options;
  const database = cleanup.use(openDatabase({ url: server.url, maxConnections }));
  await migrateDatabase(database);
  const startedMs = performance.now();
  const { rowCount } = await database.pool.query('select from device limit 1');
  if (rowCount === 0) await options.fill(database);
  const filledMs = performance.now() - startedMs;
  const owned = cleanup.move();
  return { database, filledMs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openDataDir(
  cleanup: AsyncDisposableStack,
  keepIn: string | undefined,
): Promise<string> {
  if (keepIn !== undefined) {
    await mkdir(keepIn, { recursive: true });
    return keepIn;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  await chmod(dataDir, 0o755);
  return dataDir;
}
