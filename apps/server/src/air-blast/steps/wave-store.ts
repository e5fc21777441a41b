import { and, asc, eq, sql } from 'drizzle-orm';
import type { AirBlastWave } from '@deviceportal/contract/air-blast';
import type { RunCounters } from '@deviceportal/contract/runs';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOrNull } from '../../platform/moment-cursor.ts';
import type { AirBlastRecord } from '../air-blast-store.ts';
import { airBlastWave } from '../air-blast-tables.ts';

export type WaveRow = typeof airBlastWave.$inferSelect;
type Doing = Pick<AirBlastRecord, 'id' | 'revision' | 'step' | 'attempt'>;

export async function insertWaves(
  tx: Transaction,
  waves: readonly (typeof airBlastWave.$inferInsert)[],
): Promise<void> {
  if (waves.length > 0) await tx.insert(airBlastWave).values([...waves]);
}

/** Of one doing of a step, in order. */
export async function selectWaves(
  executor: Executor,
  { id, revision, step, attempt }: Doing,
): Promise<WaveRow[]> {
  return executor
    .select()
    .from(airBlastWave)
    .where(
      and(
        eq(airBlastWave.airBlastId, id),
        eq(airBlastWave.revision, revision),
        eq(airBlastWave.step, step),
        eq(airBlastWave.attempt, attempt),
      ),
    )
    .orderBy(asc(airBlastWave.wave));
}

export async function updateWave(
  tx: Transaction,
  wave: WaveRow,
  patch: Partial<Pick<WaveRow, 'openedAt' | 'maxErrors' | 'runId' | 'endedAt' | 'held'>>,
): Promise<void> {
  await tx.update(airBlastWave).set(patch).where(eq(airBlastWave.runKey, wave.runKey));
}

/** The command run that a wave has made, also where the server ended before it was noted. */
export async function findRunOfWave(
  executor: Executor,
  wave: Pick<WaveRow, 'runKey'>,
  createdById: string,
): Promise<{ readonly id: string; readonly ended: boolean } | undefined> {
  const { rows } = await executor.execute(sql`
    select id, ended_at is not null as ended from command_run
    where created_by_id = ${createdById} and idempotency_key = ${wave.runKey}`);
  return rows[0] as { id: string; ended: boolean } | undefined;
}

/** All waves of the present plan with the counters of their runs. */
export async function selectWaveProgress(
  executor: Executor,
  { id, revision }: Pick<AirBlastRecord, 'id' | 'revision'>,
): Promise<AirBlastWave[]> {
  const { rows } = await executor.execute(sql`
    select w.step, w.attempt, w.wave, cardinality(w.device_ids) as devices, w.run_id as "runId",
           w.opened_at as "openedAt", w.ended_at as "endedAt",
           case when r.id is not null then jsonb_build_object('target', r.target_count, 'pending', r.pending_count,
             'inProgress', r.in_progress_count, 'success', r.success_count, 'failed', r.failed_count,
             'timedOut', r.timed_out_count, 'cancelled', r.cancelled_count) end as counters
    from air_blast_wave w left join command_run r on r.id = w.run_id
    where w.air_blast_id = ${id} and w.revision = ${revision}
    order by case w.step when 'canary' then 1 when 'blast' then 2 else 3 end, w.attempt, w.wave`);
  return (rows as unknown as (AirBlastWave & { counters: RunCounters | null })[]).map((wave) => ({
    ...wave,
    openedAt: isoOrNull(wave.openedAt),
    endedAt: isoOrNull(wave.endedAt),
  }));
}
