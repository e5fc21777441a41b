import { and, asc, eq, sql } from 'drizzle-orm';
import type { AirBlastWave } from '@deviceportal/contract/air-blast';
import type { RunCounters } from '@deviceportal/contract/runs';
import { runProgress } from '../../../commands/data/runs/run-progress.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { jsonObject } from '../../../platform/database/json-rows.ts';
import { isoMoments } from '../../../platform/iso-moments.ts';
import type { PlanKey, StepAttempt } from '../air-blast-record.ts';
import { airBlastWave } from '../air-blast-tables.ts';
import { isWaveOf } from './is-wave-of.ts';

export type WaveRow = typeof airBlastWave.$inferSelect;

export async function insertWaves(
  tx: Transaction,
  waves: readonly (typeof airBlastWave.$inferInsert)[],
): Promise<void> {
  if (waves.length > 0) await tx.insert(airBlastWave).values([...waves]);
}

/** In order. */
export async function selectWaves(on: Executor, attempt: StepAttempt): Promise<WaveRow[]> {
  return on.select().from(airBlastWave).where(isWaveOf(attempt)).orderBy(asc(airBlastWave.wave));
}

export async function updateWave(
  tx: Transaction,
  wave: WaveRow,
  patch: Partial<Pick<WaveRow, 'openedAt' | 'maxErrors' | 'runId' | 'endedAt' | 'held'>>,
): Promise<void> {
  await tx.update(airBlastWave).set(patch).where(eq(airBlastWave.runKey, wave.runKey));
}

/** The command run of a wave, by its key: also if the server stopped before it stored the run's ID. */
export async function findRunOfWave(
  on: Executor,
  wave: Pick<WaveRow, 'runKey'>,
  createdById: string,
): Promise<{ readonly id: string; readonly ended: boolean } | undefined> {
  const [found] = await on
    .select({
      id: runProgress.runId,
      ended: sql<boolean>`${runProgress.endedAt} is not null`,
    })
    .from(runProgress)
    .where(
      and(eq(runProgress.createdById, createdById), eq(runProgress.idempotencyKey, wave.runKey)),
    );
  return found;
}

/** All waves of a plan with the counters of their runs. */
export async function selectWaveProgress(
  on: Executor,
  { id, revision }: PlanKey,
): Promise<AirBlastWave[]> {
  const { target, pending, inProgress, success, failed, timedOut, cancelled } = runProgress;
  const counters = jsonObject({
    ...{ target, pending, inProgress, success, failed, timedOut, cancelled },
  });
  const rows = await on
    .select({
      step: airBlastWave.step,
      attempt: airBlastWave.attempt,
      wave: airBlastWave.wave,
      devices: sql<number>`cardinality(${airBlastWave.deviceIds})`,
      runId: airBlastWave.runId,
      openedAt: airBlastWave.openedAt,
      endedAt: airBlastWave.endedAt,
      counters: sql<RunCounters | null>`case when ${runProgress.runId} is not null then ${counters} end`,
    })
    .from(airBlastWave)
    .leftJoin(runProgress, eq(runProgress.runId, airBlastWave.runId))
    .where(and(eq(airBlastWave.airBlastId, id), eq(airBlastWave.revision, revision)))
    .orderBy(
      sql`case ${airBlastWave.step} when 'canary' then 1 when 'blast' then 2 else 3 end`,
      asc(airBlastWave.attempt),
      asc(airBlastWave.wave),
    );
  return rows.map(isoMoments);
}
