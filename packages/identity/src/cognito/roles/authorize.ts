import { evaluateIntersection, type PolicyDecision } from '../policy/evaluate-policy.ts';
import type { IdentitySettings } from '../settings.ts';
import type { Principal } from '../signature/principal.ts';
import { policyContextOf, type CallFacts } from './policy-context.ts';

/** Evaluates an action with the policies of a credential, restricted by its session policies. */
export function authorize(
  principal: Principal,
  request: { readonly action: string; readonly resource: string; readonly facts: CallFacts },
  settings: Pick<IdentitySettings, 'accountId' | 'identityPoolId'>,
): PolicyDecision {
  return evaluateIntersection([principal.policies, principal.sessionPolicies], {
    action: request.action,
    resource: request.resource,
    principal: principal.arn,
    context: policyContextOf(principal, request.facts, settings),
  });
}

/** AWS's sentence for a refusal, so that an operator finds the missing statement. */
export function accessDeniedText(
  principal: Pick<Principal, 'arn' | 'sessionPolicies'>,
  request: { readonly action: string; readonly resource: string },
  decision: Exclude<PolicyDecision, 'allowed'>,
): string {
  const reason =
    decision === 'explicitDeny'
      ? 'with an explicit deny in a policy'
      : `because no ${principal.sessionPolicies === undefined ? 'identity-based' : 'identity-based or session'} policy allows the ${request.action} action`;
  return `User: ${principal.arn} is not authorized to perform: ${request.action} on resource: ${request.resource} ${reason}`;
}
