import { inTransaction } from '../platform/database/database.ts';
import type { EvaluateAlertsDeps } from './alerts-deps.ts';
import { limitStatements } from './data/limit-statements.ts';
import { measureRules } from './measure-rules.ts';
import { postponeFailed } from './postpone-failed.ts';
import type { MeasuredRule } from './measured-rule.ts';
import type { PreparedRule } from './prepare-rules.ts';
import type { TotalsOfSets } from './totals-of-sets.ts';

const LIMIT_MS = 15_000;

/** Measures rules together, and each alone if that fails, so that one that fails does not hold up the others. */
export async function measureIsolating(
  deps: EvaluateAlertsDeps & { readonly totals: TotalsOfSets },
  rules: readonly PreparedRule[],
  now: Date,
): Promise<readonly MeasuredRule[]> {
  if (rules.length === 0) return [];
  const startedMs = performance.now();
  try {
    const counts = await inTransaction(deps.database, async (tx) => {
      await limitStatements(tx, LIMIT_MS);
      return measureRules(tx, rules, { now, totals: deps.totals });
    });
    const tookMs = performance.now() - startedMs;
    return rules.flatMap(({ rule, owner, watched }) => {
      const found = counts.get(rule.id);
      return found === undefined
        ? []
        : [{ rule, now, measurement: { owner, counts: found, watched, tookMs } }];
    });
  } catch (error) {
    const [only] = rules;
    if (only !== undefined && rules.length === 1) {
      await postponeFailed(deps, only.rule, error);
      return [];
    }
    const measured: MeasuredRule[] = [];
    for (const rule of rules) measured.push(...(await measureIsolating(deps, [rule], now)));
    return measured;
  }
}
