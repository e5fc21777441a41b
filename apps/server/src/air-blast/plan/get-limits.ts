import type { AirBlastLimits } from '@deviceportal/contract/air-blast';
import { guardedConsequences } from '@deviceportal/contract/run-rules';
import { findRunRule } from '../../commands/approval/find-run-rule.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';

/** From how many devices a rollout requires approval, to show it before a plan exists. */
export async function getLimits({
  database,
  approvalDevices,
}: Pick<AirBlastDeps, 'database' | 'approvalDevices'>): Promise<AirBlastLimits> {
  const rules = await Promise.all(
    guardedConsequences.map((consequence) => findRunRule(database.orm, consequence)),
  );
  return {
    approvalDevices,
    runsFrom: Object.fromEntries(
      rules.flatMap((rule) => (rule === undefined ? [] : [[rule.consequence, rule.approvalFrom]])),
    ),
  };
}
