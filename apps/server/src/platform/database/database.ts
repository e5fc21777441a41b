import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

/** The query builder over the pool; tables are passed to it, so that it knows no noun. */
export type Orm = NodePgDatabase;

/** What `inTransaction` hands to its work: the same query builder, bound to one connection. */
export type Transaction = Parameters<Parameters<Orm['transaction']>[0]>[0];

/** Where a statement may run: on the pool or inside a transaction. */
export type Executor = Orm | Transaction;

/**
 * One PostgreSQL database. `bigint` values (counts, sequences) arrive as numbers from `pool`.
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
  /** Called when an idle connection breaks; the pool replaces it. */
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
    // A database that is away must not hold a request for ever.
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types,
  });
  pool.on('error', (error) => options.onError?.(error));
  // A connection that breaks while it is lent out tells its borrower by the failing statement; the event that comes
  // with it would end the process where nobody listens.
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
 * Drizzle 0.45 begins a transaction before it guards the connection: one that has just ended would stay lent out for
 * ever, and a stop would wait for it.
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

/** Runs the work in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<Result>(
  database: Pick<Database, 'orm'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.orm.transaction(work);
}

/** A transaction that somebody else has begun on this connection, and will end: for writing into it as well. */
export function transactionOn(client: pg.PoolClient): Transaction {
  return drizzle(client) as unknown as Transaction;
}
