import { defaultRunRules, type RunRule, type RunRules } from '@deviceportal/contract/run-rules';
import { recordSettings } from '../../audit-trail/record-settings.ts';
import { maskUser } from '../../people/mask-person.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { selectRunRules, upsertRunRules, type StoredRule } from '../data/runs/run-rule-queries.ts';

type Deps = Pick<CommandsDeps, 'database' | 'clock'>;

export async function getRunRules({ database }: Deps, viewer: Viewer): Promise<RunRules> {
  const stored = await selectRunRules(database.orm);
  const [first] = stored;
  if (first === undefined) return { rules: defaultRunRules, changed: null };
  const by = maskUser(first.changedBy, viewer);
  return { rules: stored.map(ruleOf), changed: { by, at: isoOf(first.changedAt) } };
}

/** Saves the rules. They apply to all later runs, including runs of existing schedules. */
export async function saveRunRules(
  deps: Deps,
  caller: Caller,
  rules: readonly RunRule[],
): Promise<RunRules> {
  await inTransaction(deps.database, async (tx) => {
    const before = (await selectRunRules(tx)).map(ruleOf);
    await upsertRunRules(tx, rules, { by: caller.viewer.username, at: deps.clock() });
    await recordSettings(tx, caller, 'settings.run-rules-changed', {
      before: before.length === 0 ? defaultRunRules : before,
      after: rules,
    });
  });
  return getRunRules(deps, caller.viewer);
}

const ruleOf = ({ consequence, approvalFrom, airBlastFrom }: StoredRule): RunRule => ({
  ...{ consequence, approvalFrom, airBlastFrom },
});
