import { sql } from 'drizzle-orm';
import type { RunApproval } from '@deviceportal/contract/run-approvals';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { effectSha256 } from '../effect/effect-sha256.ts';
import type { PlannedEffect } from '../effect/planned-effect.ts';
import type { EffectOfRun } from './run-effect.ts';

type Verdict = NonNullable<RunApproval['decision']>['verdict'];

/** A run with the approval that it needs, or had. */
export interface ApprovalRow extends EffectOfRun {
  readonly state: string;
  readonly consequence: string;
  readonly targetCount: number;
  readonly executionTimeoutSeconds: number;
  readonly createdById: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly deliverBefore: Date;
  readonly endedAt: Date | null;
  readonly effect: PlannedEffect;
  readonly effectSha256: string;
  readonly decision: Verdict | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly comment: string;
}

export async function insertRunApproval(
  tx: Transaction,
  runId: string,
  effect: PlannedEffect,
): Promise<void> {
  await tx.execute(sql`
    insert into run_approval (run_id, effect, effect_sha256)
    values (${runId}, ${JSON.stringify(effect)}::jsonb, ${effectSha256(effect)})`);
}

const momentNames = ['createdAt', 'deliverBefore', 'endedAt', 'decidedAt'] as const;

/** One decision at a time: who comes second waits, and finds it made. */
export async function holdRunApproval(
  tx: Transaction,
  runId: string,
): Promise<ApprovalRow | undefined> {
  await tx.execute(sql`select from run_approval where run_id = ${runId} for update`);
  return findRunApproval(tx, runId);
}

/** Undefined for a run that needs no approval. */
export async function findRunApproval(
  on: Executor,
  runId: string,
): Promise<ApprovalRow | undefined> {
  const { rows } = await on.execute(sql`
    select r.id, r.command, r.document_name as "documentName", r.document_version as "documentVersion", r.parameters,
      r.max_concurrency as "maxConcurrency", r.max_errors as "maxErrors", r.timeout_seconds as "timeoutSeconds",
      r.undoes_run_id as "undoesRunId", r.state, r.consequence, r.target_count as "targetCount",
      r.execution_timeout_seconds as "executionTimeoutSeconds", r.created_by_id as "createdById",
      r.created_by as "createdBy", r.created_at as "createdAt", r.deliver_before as "deliverBefore",
      r.ended_at as "endedAt", a.effect, a.effect_sha256 as "effectSha256", a.decision, a.decided_by as "decidedBy",
      a.decided_at as "decidedAt", a.comment
    from run_approval a join command_run r on r.id = a.run_id where a.run_id = ${runId}`);
  const [row] = rows;
  if (row === undefined) return undefined;
  const moments = momentNames.map((name) => {
    const text = row[name];
    return [name, text === null ? null : new Date(String(text))];
  });
  return { ...row, ...Object.fromEntries(moments) } as unknown as ApprovalRow;
}

export async function keepDecision(
  tx: Transaction,
  runId: string,
  decided: {
    readonly verdict: Verdict;
    readonly byId: string;
    readonly by: string;
    readonly at: Date;
    readonly comment: string;
  },
): Promise<void> {
  await tx.execute(sql`
    update run_approval set decision = ${decided.verdict}, decided_by_id = ${decided.byId}, decided_by = ${decided.by},
      decided_at = ${decided.at.toISOString()}, comment = ${decided.comment}
    where run_id = ${runId}`);
}

/**
 * Lets a run go that waits for its approval, with its time-outs from now on. False where it does not wait any more.
 * Invocations are locked before their run, as everywhere.
 */
export async function releaseRun(
  tx: Transaction,
  runId: string,
  times: { readonly deliverBefore: Date; readonly expiresAt: Date },
): Promise<boolean> {
  const set = sql`
    deliver_before = ${times.deliverBefore.toISOString()}, expires_at = ${times.expiresAt.toISOString()}`;
  await tx.execute(sql`update invocation set ${set} where run_id = ${runId} and ended_at is null`);
  const { rowCount } = await tx.execute(sql`
    update command_run set state = 'Pending', status_details = 'Pending', ${set}
    where id = ${runId} and state = 'Approval' and ended_at is null`);
  return rowCount === 1;
}
