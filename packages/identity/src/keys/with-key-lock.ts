import type pg from 'pg';
import { inTransaction } from '../database/in-transaction.ts';

const KEY_LOCK = 7_314_900_042;

/** Runs the work alone among all servers on this database, so that two of them make one set of keys. */
export async function withKeyLock<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [KEY_LOCK]);
    return work(client);
  });
}
