import { sql } from 'drizzle-orm';
import { APPROVAL_HOURS } from '@deviceportal/contract/run-approvals';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { RunDeps } from '../commands-deps.ts';
import type { NewRun } from '../run-insert-store.ts';
import { insertRunApproval } from './run-approval-store.ts';
import { readCurrentRun } from './run-effect.ts';
import { tellApprovers } from './tell-approvers.ts';

/** Until then a run waits for its second person. */
export const approvalEndsAt = (createdAt: Date): Date =>
  new Date(createdAt.getTime() + APPROVAL_HOURS * 3_600_000);

/**
 * Keeps a new run until a second person has approved it: nothing of it is sent, and no device would accept it, for it is
 * signed only then. Returns what to publish after commit.
 */
export async function holdRun(
  tx: Transaction,
  deps: Pick<RunDeps, 'vault'>,
  run: NewRun,
): Promise<Change[]> {
  await tx.execute(sql`
    update invocation set deliver_before = ${run.deliverBefore.toISOString()}, expires_at = ${run.expiresAt.toISOString()}
    where run_id = ${run.id}`);
  const { effect } = await readCurrentRun(tx, deps, run);
  await insertRunApproval(tx, run.id, effect);
  return tellApprovers(tx, run);
}
