import { inArray, lt, lte, sql } from 'drizzle-orm';
import { portalNow } from '../../../platform/columns.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { excluded } from '../../../platform/database/excluded.ts';
import { wrongClaimCount } from '../devices-tables.ts';

export interface WrongClaimLimit {
  readonly most: number;
  readonly windowSeconds: number;
}

const ENDED_AT_ONCE = 20;
const { subscriber, count, until } = wrongClaimCount;
const isOver = lte(until, portalNow);

/**
 * Counts a rejected enrollment.
 * @returns false if the limit of the window was already reached
 */
export async function countWrongClaim(
  on: Executor,
  of: string,
  { most, windowSeconds }: WrongClaimLimit,
): Promise<boolean> {
  const counted = await on
    .insert(wrongClaimCount)
    .values({
      subscriber: of,
      count: 1,
      until: sql`${portalNow} + make_interval(secs => ${windowSeconds})`,
    })
    .onConflictDoUpdate({
      target: subscriber,
      set: {
        count: sql`case when ${isOver} then 1 else ${count} + 1 end`,
        until: sql`case when ${isOver} then ${excluded(until)} else ${until} end`,
      },
      setWhere: sql`${isOver} or ${lt(count, most)}`,
    })
    .returning({ count });
  // Each address that is new to the table removes more rows than it adds.
  if (counted[0]?.count === 1) await deleteSomeEnded(on);
  return counted.length > 0;
}

async function deleteSomeEnded(on: Executor): Promise<void> {
  const ended = on
    .select({ subscriber })
    .from(wrongClaimCount)
    .where(isOver)
    .limit(ENDED_AT_ONCE)
    .for('update', { skipLocked: true });
  await on.delete(wrongClaimCount).where(inArray(subscriber, ended));
}
