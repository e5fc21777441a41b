import type { Database } from '../platform/database/database.ts';

/**
 * Runs a rotation exclusively among all servers and commands on this database. The lock ends with its process.
 * @returns undefined while another rotation runs
 */
export async function withRotationLock<Result>(
  { pool }: Pick<Database, 'pool'>,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock(hashtext('rotate-secrets')) as held",
    );
    return rows[0]?.held === true ? await work() : undefined;
  } finally {
    // Closing the connection releases the lock, also after an error.
    client.release(true);
  }
}
