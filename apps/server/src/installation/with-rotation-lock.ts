import type { Database } from '../platform/database/database.ts';

/**
 * Runs a rotation alone among all servers and commands on this database. The lock ends with the process that has it.
 * @returns undefined while another one is under way
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
    // A closed connection gives the lock back, whatever happened to it.
    client.release(true);
  }
}
