import { statementTypes } from '@deviceportal/command-signing/signed-statement';
import {
  authorize,
  findMismatch,
  type AuthorizedFacts,
  type Authorization,
  type AuthorizationMismatch,
} from '../../commands/signing/authorization.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';

type Planned = Pick<
  AirBlastRecord,
  'id' | 'revision' | 'planSha256' | 'needsApproval' | 'approvalFirst'
>;

/** The plan's hash covers everything that will be executed. The approval rule is added to it. */
function authorizedPlan(run: Planned): AuthorizedFacts {
  const { id, revision, planSha256, needsApproval, approvalFirst } = run;
  return {
    type: statementTypes.rolloutPlan,
    id,
    facts: { id, revision, planSha256, needsApproval, approvalFirst },
  };
}

/** Signed for the user who creates or edits a plan, or excludes failed devices from it. */
export function authorizePlan(
  deps: Pick<AirBlastDeps, 'signing' | 'vault'>,
  run: Planned,
  act: { readonly viewer: Viewer; readonly at: Date },
): Promise<Authorization> {
  const by = { id: act.viewer.userId };
  return authorize(deps, authorizedPlan(run), { by, at: act.at });
}

export const findPlanMismatch = (
  deps: Pick<AirBlastDeps, 'signing' | 'vault'>,
  run: AirBlastRecord,
): AuthorizationMismatch | null => findMismatch(deps, run.authorization, authorizedPlan(run));
