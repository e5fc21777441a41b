import type { Viewer } from '../platform/viewer.ts';
import { hasEnded } from './air-blast-state-machine.ts';
import type { AirBlastRecord, StepRow } from './air-blast-store.ts';

/** Of a run that was let go, or whose operator does not hold the role any more. */
export function mayTakeOver(run: AirBlastRecord, viewer: Viewer, now: Date): boolean {
  if (hasEnded(run)) return false;
  if (run.operatorId === viewer.userId) return run.offered;
  return run.offered || run.roleExpiresAt === null || run.roleExpiresAt <= now;
}

/** Nobody approves what they have planned or operated. */
export function isSecondPerson(
  run: AirBlastRecord,
  steps: readonly Pick<StepRow, 'operatorId'>[],
  viewer: Viewer,
): boolean {
  const hands = [run.createdById, run.operatorId, ...steps.map(({ operatorId }) => operatorId)];
  return !hands.includes(viewer.userId);
}
