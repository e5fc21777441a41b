import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

/** The query builder on the pool. Tables are passed to it, so it has no domain logic. */
export type Orm = NodePgDatabase;

/** The query builder on one connection, as passed to the callback of `inTransaction`. */
export type Transaction = Parameters<Parameters<Orm['transaction']>[0]>[0];

/** Where a statement runs: on the pool, or in a transaction. */
export type Executor = Orm | Transaction;

/**
 * A PostgreSQL database. `bigint` values (counts, sequences) are returned as numbers by `pool`.
 * Disposing closes the pool and waits for its connections.
 */
export interface Database extends AsyncDisposable {
  readonly pool: pg.Pool;
  readonly orm: Orm;
}

export interface OpenDatabaseOptions {
  readonly url: string;
  readonly maxConnections?: number;
  readonly applicationName?: string;
  /** Called when an idle connection fails; the pool replaces it. */
  readonly onError?: (error: Error) => void;
}

const INT8_TYPE = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    if (type === INT8_TYPE && format !== 'binary') return Number;
    return format === 'binary'
      ? pg.types.getTypeParser(type, 'binary')
      : pg.types.getTypeParser(type, 'text');
  },
};

export function openDatabase(options: OpenDatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 20,
    application_name: options.applicationName ?? 'device-portal',
    // Requests must not wait forever for an unavailable database.
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types,
  });
  pool.on('error', (error) => options.onError?.(error));
  // When a connection in use fails, its failing statement reports the error. Without a listener,
  // the additional error event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    pool,
    orm: ormOn(pool),
    async [Symbol.asyncDispose]() {
      await pool.end();
    },
  };
}

/**
 * Workaround for Drizzle 0.45, which starts a transaction before it guards the connection. A
 * connection that has just ended would never be released, and a shutdown would wait for it.
 */
function ormOn(pool: pg.Pool): Orm {
  const orm = drizzle(pool);
  orm.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, config);
    } finally {
      client.release();
    }
  };
  return orm;
}

/** Runs the callback in a transaction: commits when it returns, rolls back when it throws. */
export async function inTransaction<Result>(
  database: Pick<Database, 'orm'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.orm.transaction(work);
}

/** Joins a transaction that the caller started on this connection and will end. */
export function transactionOn(client: pg.PoolClient): Transaction {
  return drizzle(client) as unknown as Transaction;
}
