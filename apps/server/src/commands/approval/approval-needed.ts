import type { Consequence } from '@deviceportal/contract/permissions';
import { guardOf, type RunGuard, type RunRule } from '@deviceportal/contract/run-rules';
import { refuse } from '@deviceportal/contract/refuse';
import type { TargetAgreement } from '../target/target-agreement.ts';

/**
 * Whether a run on this many devices needs approval by a second user. Waves of a rollout do not, because the rollout
 * has its own approval.
 *
 * @throws PortalError 2004 if it is allowed only as a rollout
 */
export function approvalNeeded(
  rule: RunRule | undefined,
  run: {
    readonly consequence: Consequence;
    readonly count: number;
    readonly agreement: TargetAgreement;
  },
): RunGuard {
  if (run.agreement.kind === 'planned') return 'none';
  const guard = guardOf(rule, run.count);
  if (guard !== 'air-blast') return guard;
  const reason = 'air-blast-needed';
  throw refuse('air-blast-needed', {
    field: 'target',
    facts: { reason, devices: run.count, from: rule?.airBlastFrom ?? 0 },
  });
}
