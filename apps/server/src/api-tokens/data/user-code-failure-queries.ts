import { eq, gt, inArray, lte, sql } from 'drizzle-orm';
import { portalClock } from '../../platform/columns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { userCodeFailure } from './api-tokens-tables.ts';

export interface FailureSource {
  readonly source: string;
  readonly userId: string | null;
  /** Failures after which further codes are not checked. */
  readonly most: number;
}

const { source: key, failures, until } = userCodeFailure;
const isOver = lte(until, portalClock);

/**
 * Counts an attempt as failed before the code is checked, so that concurrent attempts cannot exceed the limit.
 * @returns the failures including this one; undefined if the source is locked
 */
export async function countAttempt(
  tx: Transaction,
  { source, userId, most }: FailureSource,
  lockSeconds: number,
): Promise<number | undefined> {
  const end = sql`${portalClock} + make_interval(secs => ${lockSeconds})`;
  const [counted] = await tx
    .insert(userCodeFailure)
    .values({ source, userId, failures: 1, until: end })
    .onConflictDoUpdate({
      target: key,
      set: {
        failures: sql`case when ${isOver} then 1 else ${failures} + 1 end`,
        // The lock starts with the last attempt that it allows.
        until: sql`case when ${isOver} or ${failures} + 1 >= ${most} then ${excluded(until)} else ${until} end`,
      },
      setWhere: sql`${isOver} or ${failures} < ${most}`,
    })
    .returning({ failures });
  return counted?.failures;
}

/** After a correct code. */
export async function takeBackAttempts(
  tx: Transaction,
  sources: readonly FailureSource[],
): Promise<void> {
  await tx
    .update(userCodeFailure)
    .set({ failures: sql`greatest(${failures} - 1, 0)` })
    .where(
      inArray(
        key,
        sources.map(({ source }) => source),
      ),
    );
}

/** Seconds until the lock of a source ends; 0 without a lock. */
export async function secondsLocked(
  tx: Transaction,
  { source, most }: FailureSource,
): Promise<number> {
  const [found] = await tx
    .select({
      seconds: sql<number>`ceil(extract(epoch from ${until} - ${portalClock}))::int`,
      isLocked: sql<boolean>`${gt(until, portalClock)} and ${failures} >= ${most}`,
    })
    .from(userCodeFailure)
    .where(eq(key, source));
  return found?.isLocked ? found.seconds : 0;
}
