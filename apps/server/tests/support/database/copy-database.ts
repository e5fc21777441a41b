import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openPersonalKeys } from '../../../src/personal-data/keys/personal-keys-of.ts';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { testPersonalDataKey } from './test-personal-data-key.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly name: string;
  /** With the server's role, which lacks the owner's permissions. */
  readonly database: Database;
  readonly url: string;
  /** With the role that owns the tables, for statements that no server may run. */
  readonly owner: Database;
  /** Ends all connections, so that it can be copied; the database is kept. */
  readonly close: () => Promise<void>;
}

export interface DatabaseCopy {
  /** Any database of the test server. */
  readonly serverUrl: string;
  /** The name of a closed database. */
  readonly template: string;
  /** The role of the server's connections; default: the owner. */
  readonly role: string | undefined;
}

/** A copy of a database of the test server; disposing drops it. */
export async function copyDatabase({
  serverUrl,
  template,
  role,
}: DatabaseCopy): Promise<TestDatabase> {
  const name = `deviceportal_${randomUUID().replaceAll('-', '')}`;
  // The default strategy, copying through the write-ahead log, takes five times as long.
  await onServer(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const owner = openDatabase({ url: url.href, maxConnections: 4 });
  if (role !== undefined) url.username = role;
  const database = openDatabase({ url: url.href, maxConnections: 8 });
  for (const one of [owner, database]) openPersonalKeys(one, testPersonalDataKey);
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
