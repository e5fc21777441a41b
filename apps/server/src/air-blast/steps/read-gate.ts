import type { AirBlastGate, AirBlastReport } from '@deviceportal/contract/air-blast';
import { limitOf } from '../../commands/execution/run-state-machine.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import { countCanaries, countWaves } from '../data/waves/gate-queries.ts';

/** The current value that decides whether the step passes, and its limit. */
export async function readGate(
  executor: Executor,
  run: AirBlastRecord,
  report: AirBlastReport,
): Promise<AirBlastGate | null> {
  const { successPercent, maxErrors } = run.options;
  const must = (total: number): number => Math.ceil((successPercent * total) / 100);
  if (run.step === 'canary') {
    const { total, ended, success } = await countCanaries(executor, run);
    return { kind: 'canary', total, ended, value: success, limit: must(total) };
  }
  if (run.step === 'blast') {
    const { total, ended, errors } = await countWaves(executor, run);
    return { kind: 'blast', total, ended, value: errors, limit: limitOf(maxErrors, total, 0) };
  }
  if (run.step !== 'verify') return null;
  const total = report.asIntended + report.different;
  const value = report.asIntended;
  return { kind: 'verify', total, ended: total, value, limit: must(total) };
}
