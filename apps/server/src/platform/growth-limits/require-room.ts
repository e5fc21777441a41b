import { sql, type SQL } from 'drizzle-orm';
import { growthLimits, type GrowthLimitName } from '@deviceportal/contract/growth-limits';
import type { Transaction } from '../database/database.ts';
import { selectList, selectRows } from '../database/select-rows.ts';
import { limitReached } from './limit-reached.ts';

export interface Growing {
  readonly limit: GrowthLimitName;
  /** Key of the limit: a user, a device …; empty for a shared limit. */
  readonly of: string;
  /** The counted rows, as a query. */
  readonly existing: SQL;
}

const countList = selectList({ count: sql<number>`count(*)::int` });

/**
 * Rejects an addition beyond a limit. Concurrent requests for the same key are serialized until
 * commit, so that they cannot exceed the limit together.
 *
 * @throws PortalError 2004 with the reason `limitReached`
 */
export async function requireRoom(
  tx: Transaction,
  { limit, of, existing }: Growing,
): Promise<void> {
  const { most } = growthLimits[limit];
  // A separate statement, so that the next one sees what other transactions committed during the
  // wait.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${limit} ${of}`}, 0))`);
  const [found] = await selectRows(
    tx,
    countList,
    (list) => sql`select ${list} from (${existing} limit ${most}) counted`,
  );
  if ((found?.count ?? 0) >= most) throw limitReached(limit);
}
