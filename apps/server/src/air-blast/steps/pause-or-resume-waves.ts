import { pauseRun, resumeRun } from '../../commands/pause-run.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import type { StepRow } from '../data/step-queries.ts';
import { originOf, starterOf } from './send-wave.ts';
import { findRunOfWave, updateWave, type WaveRow } from '../data/waves/wave-queries.ts';

/**
 * Pauses or resumes the command runs of open waves with their rollout. The state of a wave is stored after the change;
 * if the server stops in between, the change is repeated without effect.
 */
export async function pauseOrResumeWaves(
  deps: AirBlastDeps,
  { run, step, waves }: { run: AirBlastRecord; step: StepRow; waves: readonly WaveRow[] },
): Promise<void> {
  const held = run.state === 'paused';
  for (const wave of waves) {
    const isUnderWay = wave.openedAt !== null && wave.endedAt === null;
    if (!isUnderWay || wave.held === held) continue;
    const sent = await findRunOfWave(deps.database.orm, wave, step.operatorId);
    if (sent === undefined || sent.ended) continue;
    const change = held ? pauseRun : resumeRun;
    await change(deps, starterOf(step), { id: sent.id, origin: originOf(run) });
    await inTransaction(deps.database, (tx) => updateWave(tx, wave, { held }));
  }
}
