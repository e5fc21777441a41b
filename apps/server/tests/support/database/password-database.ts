import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityMigrations } from '../../../src/compose/identity-migrations.ts';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded-postgres.ts';
import { migrateDatabase } from '../../../src/platform/database/migrate-database.ts';
import { grantRuntime } from '../../../src/platform/database/runtime-role.ts';

/** A migrated database on a server of its own, whose roles sign in with passwords. */
export interface PasswordDatabase extends AsyncDisposable {
  /** The folder of its socket. */
  readonly host: string;
  readonly name: string;
  /** As superuser, without a password. */
  readonly owner: Database;
  /** Creates a role of servers. */
  addRole(user: string): Promise<void>;
  /** Changes the password of a role; open connections stay open. */
  setPassword(user: string, password?: string): Promise<string>;
}

export async function startPasswordDatabase(): Promise<PasswordDatabase> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'dp-passwords-'));
  starting.defer(() => rm(folder, { recursive: true, force: true }));
  // As root, PostgreSQL runs under another user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  // Rotations leave connections behind until they are idle.
  const settings = { max_connections: '200' };
  const server = starting.use(await startEmbeddedPostgres({ dataDir, durable: false, settings }));
  const owner = starting.use(openDatabase({ url: server.url, maxConnections: 4 }));
  await requirePasswords(owner, join(dataDir, 'postgres', 'pg_hba.conf'));
  await migrateDatabase(owner, identityMigrations);
  const { pathname, searchParams } = new URL(server.url);
  const run = (statement: string) => owner.pool.query(statement);
  const owned = starting.move();
  return {
    host: searchParams.get('host') ?? '',
    name: pathname.slice(1),
    owner,
    async addRole(user) {
      await run(`create role ${user} login nosuperuser in role with_password`);
      const client = await owner.pool.connect();
      try {
        await grantRuntime(client, user);
      } finally {
        client.release();
      }
    },
    async setPassword(user, password = randomUUID()) {
      await run(`alter role ${user} password '${password}'`);
      return password;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function requirePasswords({ pool }: Database, file: string): Promise<void> {
  await pool.query('create role with_password nologin');
  await writeFile(file, `local all +with_password scram-sha-256\n${await readFile(file, 'utf8')}`);
  await pool.query('select pg_reload_conf()');
}
