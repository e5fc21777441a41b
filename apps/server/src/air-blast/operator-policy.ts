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
 * Whether a user can take over a rollout: its operator has released control, or no longer has the role. Before they
 * assume the role, operators have as long as the role lasts, so a new rollout cannot be taken over immediately.
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

/** Whether a user can approve a rollout: they have not planned or operated it under any of their accounts. */
export async function isSecondPerson(
  executor: Executor,
  run: AirBlastRecord,
  userId: string,
): Promise<boolean> {
  return !(await isSamePerson(executor, userId, await participantsOf(executor, run)));
}

/** The users who planned or operated a rollout in any of its plans. */
export async function participantsOf(executor: Executor, run: AirBlastRecord): Promise<string[]> {
  return [run.createdById, run.operatorId, ...(await selectOperatorIds(executor, run.id))];
}

/** Whether a user has approved the current plan. They are its second person and cannot operate it. */
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
