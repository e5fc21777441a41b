import { sql } from 'drizzle-orm';
import type { RunRule } from '@deviceportal/contract/run-rules';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Fault } from '../run-record.ts';
import type { RunApprovalGiven } from './user-actions.ts';

interface GuardedRun {
  readonly id: string;
  readonly createdById: string;
  readonly consequence: string;
  readonly targets: number;
}

/**
 * Finds runs sent without the approval that the policy requires. Waves of a rollout are covered by the rollout's
 * approval.
 */
export async function findUnapprovedRuns(
  { orm }: Pick<Database, 'orm'>,
  {
    sent,
    approvals,
    rules,
  }: {
    readonly sent: readonly string[];
    readonly approvals: readonly RunApprovalGiven[];
    readonly rules: readonly RunRule[];
  },
): Promise<Fault[]> {
  if (sent.length === 0) return [];
  const { rows } = await orm.execute(sql`
    select distinct r.id, r.created_by_id as "createdById", r.consequence, r.target_count as targets
    from invocation i join command_run r on r.id = i.run_id
    where i.id = any(${sql.param(sent)}::uuid[])
      and not exists (select from air_blast_wave w where w.run_key = r.idempotency_key)`);
  const needsApproval = ({ consequence, targets }: GuardedRun): boolean =>
    rules.some(
      (rule) =>
        rule.consequence === consequence &&
        rule.approvalFrom !== null &&
        targets >= rule.approvalFrom,
    );
  return (rows as unknown as GuardedRun[])
    .filter(needsApproval)
    .filter(
      ({ id, createdById }) =>
        !approvals.some(({ runId, byId }) => runId === id && byId !== createdById),
    )
    .map((seen) => ({ rule: 'a run sent without its second person', seen }));
}
