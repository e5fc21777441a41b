import { sql } from 'drizzle-orm';
import { defaultRunRules, type RunRule } from '@deviceportal/contract/run-rules';
import type { Executor, Transaction } from '../../platform/database/database.ts';

export interface StoredRule extends RunRule, Record<string, unknown> {
  readonly changedBy: string;
  readonly changedAt: string;
}

/** In the order of the classes; empty while the defaults hold. */
export async function selectRunRules(on: Executor): Promise<StoredRule[]> {
  const { rows } = await on.execute<StoredRule>(sql`
    select consequence, approval_from as "approvalFrom", air_blast_from as "airBlastFrom", changed_by as "changedBy",
      changed_at as "changedAt"
    from run_rule`);
  return defaultRunRules.flatMap(({ consequence }) =>
    rows.filter((row) => row.consequence === consequence),
  );
}

export async function upsertRunRules(
  tx: Transaction,
  rules: readonly RunRule[],
  changed: { readonly by: string; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into run_rule (consequence, approval_from, air_blast_from, changed_by, changed_at)
    select consequence, "approvalFrom", "airBlastFrom", ${changed.by}, ${changed.at.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb)
      as rule(consequence text, "approvalFrom" integer, "airBlastFrom" integer)
    on conflict (consequence) do update set approval_from = excluded.approval_from,
      air_blast_from = excluded.air_blast_from, changed_by = excluded.changed_by, changed_at = excluded.changed_at`);
}
