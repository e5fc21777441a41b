import { AIR_BLAST_LEAVE_OUT_BELOW_PERCENT } from '@deviceportal/contract/air-blast';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import type { StepRow } from '../data/step-queries.ts';

/** Whether the failed devices can be left out: they are less than half of those that were processed. */
export function mayLeaveOut(
  run: Pick<AirBlastRecord, 'step'>,
  steps: readonly Pick<StepRow, 'step' | 'evidence'>[],
): boolean {
  const evidence = steps.findLast(({ step }) => step === run.step)?.evidence ?? {};
  const { total, failed } = evidence;
  if (typeof total !== 'number' || typeof failed !== 'number' || total === 0) return false;
  return failed * 100 < AIR_BLAST_LEAVE_OUT_BELOW_PERCENT * total;
}
