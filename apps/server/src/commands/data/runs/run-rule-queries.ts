import { defaultRunRules, type RunRule } from '@deviceportal/contract/run-rules';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { excluded } from '../../../platform/database/excluded.ts';
import { runRule } from '../commands-tables.ts';

export type StoredRule = Readonly<typeof runRule.$inferSelect>;

/** Sorted by consequence; empty if the defaults apply. */
export async function selectRunRules(on: Executor): Promise<StoredRule[]> {
  const rows = await on.select().from(runRule);
  return defaultRunRules.flatMap(({ consequence }) =>
    rows.filter((row) => row.consequence === consequence),
  );
}

export async function upsertRunRules(
  tx: Transaction,
  rules: readonly RunRule[],
  changed: { readonly by: string; readonly at: Date },
): Promise<void> {
  if (rules.length === 0) return;
  await tx
    .insert(runRule)
    .values(
      rules.map(({ consequence, approvalFrom, airBlastFrom }) => ({
        ...{ consequence, approvalFrom, airBlastFrom },
        ...{ changedBy: changed.by, changedAt: changed.at },
      })),
    )
    .onConflictDoUpdate({ target: runRule.consequence, set: replaced });
}

const replaced = {
  approvalFrom: excluded(runRule.approvalFrom),
  airBlastFrom: excluded(runRule.airBlastFrom),
  changedBy: excluded(runRule.changedBy),
  changedAt: excluded(runRule.changedAt),
};
