import type pg from 'pg';

/** Where a statement runs: on the pool, or in a transaction. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** Runs the work on one connection; an error rolls everything back and is rethrown. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
