import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { traceStatements } from '../tracing/trace-statements.ts';
import { openPool, openPoolBeside, type DatabaseAccess } from './connections/open-pool.ts';

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
  /** Or `url`, if user and password are part of it. */
  readonly access?: DatabaseAccess;
  readonly url?: string;
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
  const access = options.access ?? { connection: { connectionString: options.url } };
  const pool = openPool(access, {
    max: options.maxConnections ?? 20,
    application_name: options.applicationName ?? 'device-portal',
    // Requests must not wait forever for an unavailable database.
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    types,
  });
  pool.on('error', (error) => options.onError?.(error));
  // When a connection in use fails, its failing statement reports the error. Without a listener,
  // the additional error event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('connect', (client) => pools.set(client, pool));
  pool.on('connect', traceStatements);
  const orm = ormOn(pool);
  pools.set(orm, pool);
  return {
    pool,
    orm,
    async [Symbol.asyncDispose]() {
      await pool.end();
    },
  };
}

/**
 * One more connection to a database, each statement committed at once: for what has to be written while a transaction
 * waits for it. It closes when it is idle.
 */
export function openBeside({ pool }: Pick<Database, 'pool'>): Orm {
  const beside = openPoolBeside(pool, {
    max: 1,
    idleTimeoutMillis: 1_000,
    allowExitOnIdle: true,
  });
  beside.on('error', () => {});
  beside.on('connect', (client) => client.on('error', () => {}));
  return drizzle(beside);
}

/** To which pool query builders, transactions and connections belong. */
const pools = new WeakMap<object, pg.Pool>();

/** On which connections transactions run. */
const clients = new WeakMap<object, pg.PoolClient>();

/**
 * The connection of a transaction, for packages that know no query builder.
 * @throws Error for one that was not begun here
 */
export function clientOf(tx: Transaction): pg.PoolClient {
  const client = clients.get(tx);
  if (client === undefined) throw new Error('this transaction has no connection of its own');
  return client;
}

/**
 * The pool on which a statement runs: for what belongs to a database and is needed where only a transaction is known.
 * @throws Error for a query builder that was not made here
 */
export function poolOf(on: Executor): pg.Pool {
  const pool = pools.get(on);
  if (pool === undefined) throw new Error('this query builder belongs to no database');
  return pool;
}

/** Lets a wrapper of a query builder, a transaction or a connection stand for it: it belongs to the same database. */
export function belongsWith<Handle extends object>(wrapper: Handle, handle: Handle): Handle {
  const pool = pools.get(handle);
  const client = clients.get(handle);
  if (pool !== undefined) pools.set(wrapper, pool);
  if (client !== undefined) clients.set(wrapper, client);
  return wrapper;
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
      return await drizzle(client).transaction((tx) => {
        pools.set(tx, pool);
        clients.set(tx, client);
        return work(withParts(tx));
      }, config);
    } finally {
      client.release();
    }
  };
  return orm;
}

/** Transactions within this one (savepoints) belong to the same database and connection. */
function withParts(tx: Transaction): Transaction {
  const begin: Transaction['transaction'] = tx.transaction.bind(tx);
  tx.transaction = (work) => begin((part) => work(withParts(belongsWith(part, tx))));
  return tx;
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
  const transaction = drizzle(client) as unknown as Transaction;
  const pool = pools.get(client);
  if (pool !== undefined) pools.set(transaction, pool);
  clients.set(transaction, client);
  return transaction;
}
