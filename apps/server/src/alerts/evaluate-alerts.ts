import { inTransaction } from '../platform/database/database.ts';
import type { EvaluateAlertsDeps } from './alerts-deps.ts';
import { applyMeasurement } from './apply-measurement.ts';
import { findDueRules, lockRounds } from './data/rule-queries.ts';
import { measureIsolating } from './measure-isolating.ts';
import type { MeasuredRule } from './measured-rule.ts';
import { createOwnerFinder } from './owner-finder.ts';
import { postponeFailed } from './postpone-failed.ts';
import { prepareRules } from './prepare-rules.ts';
import { saveUnchanged } from './save-unchanged.ts';
import { TotalsOfSets } from './totals-of-sets.ts';

/** Rules that are counted together. */
const AT_ONCE = 200;

/**
 * Evaluates the rules that are due. They are counted together, by one server at a time. What changes no state is then saved
 * together, and each state is changed in a transaction of its own, in which the rule is locked and must be as it was
 * counted.
 */
export function createAlertRound(given: EvaluateAlertsDeps): () => Promise<void> {
  const deps = { ...given, findOwner: createOwnerFinder(given), totals: new TotalsOfSets() };
  return async () => {
    const measured = await measureDueRules(deps);
    for (const each of await saveUnchanged(deps.database, measured)) {
      try {
        await inTransaction(deps.database, (tx) => applyMeasurement(tx, each));
      } catch (error) {
        await postponeFailed(deps, each.rule, error);
      }
    }
  };
}

/** Counted outside the transaction with the lock, so that a rule that fails does not end it. */
function measureDueRules(
  deps: EvaluateAlertsDeps & { readonly totals: TotalsOfSets },
): Promise<readonly MeasuredRule[]> {
  const now = deps.clock();
  return inTransaction(deps.database, async (tx) => {
    if (!(await lockRounds(tx))) return [];
    const rules = await findDueRules(tx, { now, limit: AT_ONCE });
    const { stopped, ready } = await prepareRules(deps, rules, now);
    return [...stopped, ...(await measureIsolating(deps, ready, now))];
  });
}
