import { and, inArray, sql } from 'drizzle-orm';
import { deviceInvocations } from '../../../commands/data/device-invocations.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { PlanKey, StepAttempt } from '../air-blast-record.ts';
import { airBlastTarget, airBlastWave } from '../air-blast-tables.ts';
import { countAll, outcomeCounts } from '../targets/outcome-counts.ts';
import { isOnTarget, isTargetOf } from '../targets/target-conditions.ts';
import { isWaveOf } from './is-wave-of.ts';

const none = { total: 0, ended: 0, success: 0, errors: 0 };

export async function countCanaries(on: Executor, plan: PlanKey) {
  const [found = none] = await on
    .select({ total: countAll, ...outcomeCounts })
    .from(airBlastTarget)
    .leftJoin(deviceInvocations, isOnTarget)
    .where(and(isTargetOf(plan), airBlastTarget.canary));
  return found;
}

/** Counts over all waves of an attempt. The total includes waves that have not opened. */
export async function countWaves(on: Executor, attempt: StepAttempt) {
  const wave = on.$with('wave').as(
    on
      .select({
        runId: airBlastWave.runId,
        devices: sql<number>`cardinality(${airBlastWave.deviceIds})`.as('devices'),
      })
      .from(airBlastWave)
      .where(isWaveOf(attempt)),
  );
  const [found = none] = await on
    .with(wave)
    .select({
      total: sql<number>`coalesce((select sum(${wave.devices})::int from ${wave}), 0)`,
      ...outcomeCounts,
    })
    .from(deviceInvocations)
    .where(inArray(deviceInvocations.runId, on.select({ runId: wave.runId }).from(wave)));
  return found;
}
