import { APPROVAL_HOURS } from '@deviceportal/contract/run-approvals';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { RunDeps } from '../commands-deps.ts';
import type { NewRun } from '../data/runs/run-insert-queries.ts';
import { insertRunApproval, setTimesOfOpen } from '../data/runs/run-approval-queries.ts';
import { readCurrentRun } from './run-effect.ts';
import { notifyApprovers } from './notify-approvers.ts';

/** When the approval period of a run ends. */
export const approvalEndsAt = (createdAt: Date): Date =>
  new Date(createdAt.getTime() + APPROVAL_HOURS * 3_600_000);

/**
 * Holds a new run until another user has approved it. Nothing is sent, and devices would reject it, because it is
 * signed only at approval. Returns the changes to publish after commit.
 */
export async function holdRun(
  tx: Transaction,
  deps: Pick<RunDeps, 'vault'>,
  run: NewRun,
): Promise<Change[]> {
  await setTimesOfOpen(tx, run.id, run);
  const { effect } = await readCurrentRun(tx, deps, run);
  await insertRunApproval(tx, run.id, effect);
  await recordAudit(tx, [
    {
      ...{ type: 'command.approval-requested', actor: systemActor, runId: run.id },
      data: { runId: run.id, command: run.command },
    },
  ]);
  return notifyApprovers(tx, run);
}
