import { and, eq, exists, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceInvocations } from '../../../commands/data/device-invocations.ts';
import { runsUnchecked } from '../../../devices/data/checks-signatures.ts';
import type { PlanKey } from '../air-blast-record.ts';
import { airBlastTarget } from '../air-blast-tables.ts';

const { deviceId, exclusion, noGo, runId, verifyRunId } = airBlastTarget;

/** The targets of a plan, excluded ones included. */
export const isTargetOf = ({ id, revision }: PlanKey): SQL | undefined =>
  and(eq(airBlastTarget.airBlastId, id), eq(airBlastTarget.revision, revision));

/** The last invocation that sends the change to a target. */
export const isOnTarget = and(
  eq(deviceInvocations.runId, runId),
  eq(deviceInvocations.deviceId, deviceId),
);

/** Targets without blockers, after preflight. */
export const isReady = and(isNull(exclusion), sql`${noGo} = '{}'`);

/** Targets without known blockers; before preflight, all of them. */
export const isUnblocked = and(isNull(exclusion), sql`coalesce(${noGo}, '{}') = '{}'`);

/** Targets that would receive the change, and whose agent does not check signatures. */
export const wouldRunUnchecked = and(isUnblocked, runsUnchecked(deviceId));

/** The devices that the hash of a target set covers: all except excluded ones, and failed ones that were left out. */
export const isInTargetSet = and(
  isNull(exclusion),
  sql`not 'left-out' = any(coalesce(${noGo}, '{}'))`,
);

/**
 * Whether the last invocation of a target is in one of these states.
 *
 * @param kind of the change, or of its verification document
 */
export const isInState = (
  states: readonly ('Success' | 'Failed' | 'TimedOut')[],
  kind: 'change' | 'verify' = 'change',
): SQL =>
  exists(
    new QueryBuilder()
      .select({ id: deviceInvocations.invocationId })
      .from(deviceInvocations)
      .where(
        and(
          eq(deviceInvocations.runId, kind === 'change' ? runId : verifyRunId),
          eq(deviceInvocations.deviceId, deviceId),
          inArray(deviceInvocations.state, [...states]),
        ),
      ),
  );
