import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './start-installation.ts';

const LOOK_MS = 2_000;
const LONGEST_MS = 45_000;
/** Rows that an installation without work writes between two looks, at most, and as a share of its devices. */
const QUIET_ROWS = 150;
const QUIET_SHARE = 0.06;

/**
 * Resolves when background jobs have finished what was begun, such as the blocks of the audit trail and the counts of
 * versions and places: what they cost belongs to what caused it, not to what is measured next.
 */
export async function untilSettled(
  { database: { pool } }: Pick<Installation, 'database'>,
  devices: number,
): Promise<void> {
  const countRows = async (): Promise<number> => {
    const { rows } = await pool.query(
      `select (tup_inserted + tup_updated + tup_deleted)::float8 as written
       from pg_stat_database where datname = current_database()`,
    );
    return rows[0].written;
  };
  const endsAt = performance.now() + LONGEST_MS;
  for (let before = await countRows(); performance.now() < endsAt;) {
    await sleep(LOOK_MS);
    const written = await countRows();
    if (written - before <= QUIET_ROWS + devices * QUIET_SHARE) return;
    before = written;
  }
}
