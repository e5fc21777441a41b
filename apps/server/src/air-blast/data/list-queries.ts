import { and, desc, eq, inArray, isNull, ne, notExists, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { holds, scopesOf, type Scope } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
import type { MomentCursor } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { airBlast, airBlastStep } from './air-blast-tables.ts';
import { isRolloutWithin } from './is-rollout-within.ts';

/** Undefined does not limit. */
export interface RolloutFilter {
  readonly scopes: readonly Scope[];
  readonly operatorId: string | undefined;
  /** Only rollouts that have not ended. */
  readonly active: boolean;
  /** Only rollouts that need an action or approval of this user. */
  readonly waitingFor: Viewer | undefined;
  readonly after: MomentCursor | null;
}

/** Newest first. */
export async function selectAirBlasts(on: Executor, filter: RolloutFilter, limit: number) {
  const { scopes, operatorId, active, waitingFor, after } = filter;
  return on
    .select({ row: airBlast, createdAtText: sql<string>`${airBlast.createdAt}::text` })
    .from(airBlast)
    .where(
      and(
        isRolloutWithin(scopes),
        operatorId === undefined ? undefined : eq(airBlast.operatorId, operatorId),
        active ? isNull(airBlast.endedAt) : undefined,
        waitingFor === undefined ? undefined : needsActionOf(waitingFor),
        after === null
          ? undefined
          : sql`(${airBlast.createdAt}, ${airBlast.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(airBlast.createdAt), desc(airBlast.id))
    .limit(limit);
}

/** The next step of the operator, or an approval by a user who has not planned or operated it (`isSecondPerson`). */
function needsActionOf({ userId, grants }: Viewer): SQL | undefined {
  const operates = and(
    eq(airBlast.operatorId, userId),
    or(inArray(airBlast.stepState, ['done', 'failed']), eq(airBlast.state, 'paused')),
    isNull(airBlast.endedAt),
    ne(airBlast.state, 'approval'),
  );
  if (!holds(grants, 'air-blast:approve')) return operates;
  const approves = and(
    eq(airBlast.state, 'approval'),
    ne(airBlast.createdById, userId),
    ne(airBlast.operatorId, userId),
    isRolloutWithin(scopesOf(grants, ['air-blast:approve'])),
    notExists(
      new QueryBuilder()
        .select({ step: airBlastStep.step })
        .from(airBlastStep)
        .where(and(eq(airBlastStep.airBlastId, airBlast.id), eq(airBlastStep.operatorId, userId))),
    ),
  );
  return or(operates, approves);
}
