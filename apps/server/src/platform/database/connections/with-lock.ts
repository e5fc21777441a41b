import type { Database } from '../database.ts';

/**
 * Runs work exclusively among all servers and commands on this database. The lock ends with its process.
 * @param name of the lock
 * @returns undefined while another one runs
 */
export async function withLock<Result>(
  { pool }: Pick<Database, 'pool'>,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as held',
      [name],
    );
    return rows[0]?.held === true ? await work() : undefined;
  } finally {
    // Closing the connection releases the lock, also after an error.
    client.release(true);
  }
}
