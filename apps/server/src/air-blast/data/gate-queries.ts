import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import { deviceInvocations } from '../../commands/data/device-invocations.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AirBlastRecord } from '../air-blast-store.ts';
import { airBlastTarget, airBlastWave } from './air-blast-tables.ts';
import { isOnTarget, isTargetOf } from './target-conditions.ts';

export interface GateCounts {
  readonly total: number;
  readonly ended: number;
  readonly success: number;
  readonly errors: number;
}

const none: GateCounts = { total: 0, ended: 0, success: 0, errors: 0 };

const countOf = (condition: SQL | undefined) =>
  sql<number>`(count(*) filter (where ${condition}))::int`;

const { state, statusDetails, endedAt } = deviceInvocations;
const counts = {
  ended: countOf(sql`${endedAt} is not null`),
  success: countOf(eq(state, 'Success')),
  errors: countOf(or(eq(state, 'Failed'), eq(statusDetails, 'Execution Timed Out'))),
};

export async function countCanaries(
  on: Executor,
  run: Pick<AirBlastRecord, 'id' | 'revision'>,
): Promise<GateCounts> {
  const [found = none] = await on
    .select({ total: sql<number>`count(*)::int`, ...counts })
    .from(airBlastTarget)
    .leftJoin(deviceInvocations, isOnTarget)
    .where(and(isTargetOf(run), airBlastTarget.canary));
  return found;
}

/** Over the stages of the present attempt, those that are not open yet included in the total. */
export async function countWaves(
  on: Executor,
  { id, revision, step, attempt }: Pick<AirBlastRecord, 'id' | 'revision' | 'step' | 'attempt'>,
): Promise<GateCounts> {
  const wave = on.$with('wave').as(
    on
      .select({
        runId: airBlastWave.runId,
        devices: sql<number>`cardinality(${airBlastWave.deviceIds})`.as('devices'),
      })
      .from(airBlastWave)
      .where(
        and(
          eq(airBlastWave.airBlastId, id),
          eq(airBlastWave.revision, revision),
          eq(airBlastWave.step, step),
          eq(airBlastWave.attempt, attempt),
        ),
      ),
  );
  const [found = none] = await on
    .with(wave)
    .select({
      total: sql<number>`coalesce((select sum(${wave.devices})::int from ${wave}), 0)`,
      ...counts,
    })
    .from(deviceInvocations)
    .where(inArray(deviceInvocations.runId, on.select({ runId: wave.runId }).from(wave)));
  return found;
}
