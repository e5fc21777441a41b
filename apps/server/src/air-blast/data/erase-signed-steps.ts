import { and, count, eq, exists, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { authorNamed } from '../../commands/data/author-named.ts';
import type { RowWalk } from '../../personal-data/tables-of-users.ts';
import type { Executor } from '../../platform/database/database.ts';
import { airBlast, airBlastStep } from './air-blast-tables.ts';

/** Erases the signed authorizations of ended rollouts: they name their authors and are no longer checked. */
export const signedPlanWalk = (userId: string): RowWalk => ({
  table: airBlast,
  matches: sql`${eq(airBlast.createdById, userId)} and ${airBlast.endedAt} is not null
    and ${airBlast.authorization} is not null`,
  set: [[airBlast.authorization, sql`null`]],
});

/** The same for steps that the user started. */
export const signedStepWalk = (userId: string): RowWalk => ({
  table: airBlastStep,
  matches: sql`${eq(airBlastStep.operatorId, userId)} and ${airBlastStep.authorization} is not null
    and ${inArray(airBlastStep.airBlastId, endedRollouts)}`,
  set: [[airBlastStep.authorization, sql`null`]],
});

const endedRollouts = new QueryBuilder()
  .select({ id: airBlast.id })
  .from(airBlast)
  .where(isNotNull(airBlast.endedAt));

/** Rollouts that have not ended, and whose signed authorizations contain the name of the user. */
export async function countNamedRollouts(on: Executor, userId: string): Promise<number> {
  const namedSteps = new QueryBuilder()
    .select({ id: airBlastStep.airBlastId })
    .from(airBlastStep)
    .where(
      and(
        eq(airBlastStep.airBlastId, airBlast.id),
        eq(airBlastStep.operatorId, userId),
        authorNamed(sql`${airBlastStep.authorization} ->> 'payload'`),
      ),
    );
  const [found] = await on
    .select({ rollouts: count() })
    .from(airBlast)
    .where(
      and(
        isNull(airBlast.endedAt),
        or(
          and(
            eq(airBlast.createdById, userId),
            authorNamed(sql`${airBlast.authorization} ->> 'payload'`),
          ),
          exists(namedSteps),
        ),
      ),
    );
  return found?.rollouts ?? 0;
}
