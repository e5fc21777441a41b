import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { EMBEDDED_RUNTIME_ROLE } from '../../src/platform/database/runtime-role.ts';
import type {} from './start-test-database.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly name: string;
  /** With the role of the server: what it lacks rights for fails. */
  readonly database: Database;
  readonly url: string;
  /** With the role that owns the tables: for what no server may do. */
  readonly owner: Database;
  /** Ends all connections, so that it can be copied; it stays. */
  readonly close: () => Promise<void>;
}

export interface TestDatabaseOptions {
  /** True gives an empty database without any table. */
  readonly empty?: boolean;
  /** The name of a database to copy instead of the template: one that is closed. */
  readonly template?: string;
}

/** A fresh copy of the migrated template; disposing drops it. Make one for each test file, in `beforeAll`. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = inject('databaseUrl');
  const template = options.template ?? (options.empty ? 'template1' : inject('databaseTemplate'));
  const name = `deviceportal_${randomUUID().replaceAll('-', '')}`;
  // Copied page by page through its log, as by default, it would take five times as long.
  await onServer(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const owner = openDatabase({ url: url.href, maxConnections: 4 });
  // Nothing is granted in a database without tables: a migration is tested with its owner.
  if (!options.empty) url.username = EMBEDDED_RUNTIME_ROLE;
  const database = openDatabase({ url: url.href, maxConnections: 8 });
  let closed: Promise<unknown> | undefined;
  const close = async (): Promise<void> => {
    await (closed ??= Promise.all([database, owner].map((one) => one[Symbol.asyncDispose]())));
  };
  return {
    name,
    database,
    url: url.href,
    owner,
    close,
    async [Symbol.asyncDispose]() {
      await close();
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
