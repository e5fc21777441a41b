import { sql, type SQL } from 'drizzle-orm';
import { growthLimits, type GrowthLimitName } from '@deviceportal/contract/growth-limits';
import type { Transaction } from '../database/database.ts';
import { limitReached } from './limit-reached.ts';

export interface Growing {
  readonly limit: GrowthLimitName;
  /** Whose limit it is: a person, a device …; empty for one that all share. */
  readonly of: string;
  /** What counts already, as a query of rows. */
  readonly existing: SQL;
}

/**
 * Refuses one more beyond a limit. A second request for the same waits until the first has committed: parallel requests
 * cannot pass the limit together.
 *
 * @throws PortalError 2004 with the reason `limitReached`
 */
export async function requireRoom(
  tx: Transaction,
  { limit, of, existing }: Growing,
): Promise<void> {
  const { most } = growthLimits[limit];
  // A statement of its own: the next one must see what the others have committed while this one waited.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${limit} ${of}`}, 0))`);
  const { rows } = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from (${existing} limit ${most}) counted`,
  );
  if ((rows[0]?.count ?? 0) >= most) throw limitReached(limit);
}
