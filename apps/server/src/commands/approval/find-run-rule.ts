import type { Consequence } from '@deviceportal/contract/permissions';
import { defaultRunRules, isGuarded, type RunRule } from '@deviceportal/contract/run-rules';
import type { Executor } from '../../platform/database/database.ts';
import { selectRunRules } from '../data/runs/run-rule-queries.ts';

/** The rule for a consequence; undefined if runs with it never need approval. */
export async function findRunRule(
  on: Executor,
  consequence: Consequence,
): Promise<RunRule | undefined> {
  if (!isGuarded(consequence)) return undefined;
  const of = (rules: readonly RunRule[]): RunRule | undefined =>
    rules.find((rule) => rule.consequence === consequence);
  return of(await selectRunRules(on)) ?? of(defaultRunRules);
}
