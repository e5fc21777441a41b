import { AIR_BLAST_ROLE_SESSION_SECONDS } from '@deviceportal/contract/constants';
import { isSamePerson } from '../access/data/same-people.ts';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { hasEnded } from './air-blast-state-machine.ts';
import { selectApprovals } from './data/approval-queries.ts';
import { selectOperatorIds } from './data/step-queries.ts';
import type { AirBlastRecord } from './data/air-blast-record.ts';

type Operated = Pick<
  AirBlastRecord,
  'state' | 'operatorId' | 'offered' | 'roleExpiresAt' | 'updatedAt'
>;

/**
 * Of a run that was handed over, or whose operator does not hold the role any more. An operator who has not assumed
 * the role yet has as long for it as the role lasts: a run that was just planned or taken over is not free.
 */
export function mayTakeOver(run: Operated, viewer: Pick<Viewer, 'userId'>, now: Date): boolean {
  if (hasEnded(run)) return false;
  if (run.operatorId === viewer.userId) return run.offered;
  if (run.offered) return true;
  const heldUntil =
    run.roleExpiresAt?.getTime() ??
    run.updatedAt.getTime() + AIR_BLAST_ROLE_SESSION_SECONDS * 1_000;
  return heldUntil <= now.getTime();
}

/** People approve nothing that they have planned or operated, in any plan of the run and under any of their accounts. */
export async function isSecondPerson(
  executor: Executor,
  run: AirBlastRecord,
  userId: string,
): Promise<boolean> {
  return !(await isSamePerson(executor, userId, await peopleBehind(executor, run)));
}

/** Who has planned or operated a run in any of its plans. */
export async function peopleBehind(executor: Executor, run: AirBlastRecord): Promise<string[]> {
  return [run.createdById, run.operatorId, ...(await selectOperatorIds(executor, run.id))];
}

/** Whether a person has approved the present plan: then they are its second person and do not operate it. */
export async function hasApproved(
  executor: Executor,
  run: AirBlastRecord,
  userId: string,
): Promise<boolean> {
  const approvers = (await selectApprovals(executor, run.id))
    .filter(({ decision, planSha256 }) => decision === 'approved' && planSha256 === run.planSha256)
    .map(({ byId }) => byId);
  return run.approved && isSamePerson(executor, userId, approvers);
}
