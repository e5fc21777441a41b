import { conditionHolds } from './condition-holds.ts';
import type { ElementPatterns, Policy, PolicyContext, Statement } from './policy-document.ts';
import { matchesPattern, type FindContextValue } from './policy-pattern.ts';

/** `implicitDeny`: no statement applies. Only `allowed` grants access. */
export type PolicyDecision = 'allowed' | 'explicitDeny' | 'implicitDeny';

export interface PolicyRequest {
  /** Such as `iot:Subscribe`; case does not matter. */
  readonly action: string;
  /** The ARN that the action is for; case matters. In a trust policy nothing is compared with it. */
  readonly resource: string;
  /** The ARN of who asks, for policies that name principals. */
  readonly principal?: string;
  readonly context?: PolicyContext;
}

/**
 * Evaluates policies: a Deny has precedence, then an Allow; the default is deny ("IAM: policy
 * evaluation logic").
 */
export function evaluatePolicy(
  policies: readonly Policy[],
  request: PolicyRequest,
): PolicyDecision {
  const find = finderOf(request.context ?? {});
  let decision: PolicyDecision = 'implicitDeny';
  for (const policy of policies) {
    const variables = policy.hasVariables ? find : undefined;
    for (const statement of policy.statements) {
      if (!applies(statement, request, { find, variables })) continue;
      if (statement.effect === 'Deny') return 'explicitDeny';
      decision = 'allowed';
    }
  }
  return decision;
}

/**
 * The intersection of several sets of policies: a role's policies and the session policy that
 * restricts them. An undefined set does not restrict; an empty set allows nothing.
 */
export function evaluateIntersection(
  sets: readonly (readonly Policy[] | undefined)[],
  request: PolicyRequest,
): PolicyDecision {
  const decisions = sets
    .filter((set) => set !== undefined)
    .map((policies) => evaluatePolicy(policies, request));
  if (decisions.includes('explicitDeny')) return 'explicitDeny';
  const isAllowed = decisions.length > 0 && decisions.every((decision) => decision === 'allowed');
  return isAllowed ? 'allowed' : 'implicitDeny';
}

interface Lookup {
  readonly find: FindContextValue;
  readonly variables: FindContextValue | undefined;
}

function applies(statement: Statement, request: PolicyRequest, lookup: Lookup): boolean {
  const isAllow = statement.effect === 'Allow';
  const { actions, resources, principals, conditions } = statement;
  const lowerActions = {
    ...actions,
    patterns: actions.patterns.map((pattern) => pattern.toLowerCase()),
  };
  // Actions hold no variables.
  if (!elementMatches(lowerActions, request.action.toLowerCase(), { isAllow })) return false;
  const variables = { isAllow, variables: lookup.variables };
  if (resources && !elementMatches(resources, request.resource, variables)) return false;
  if (principals && !principals.some((principal) => isPrincipal(principal, request.principal)))
    return false;
  return conditions.every((condition) => conditionHolds(condition, { ...lookup, isAllow }));
}

function elementMatches(
  { isNegated, patterns }: ElementPatterns,
  text: string,
  options: { readonly isAllow: boolean; readonly variables?: FindContextValue | undefined },
): boolean {
  const verdicts = patterns.map((pattern) => matchesPattern(pattern, text, options.variables));
  if (!isNegated) return verdicts.includes(true);
  // An undefined variable in an exclusion makes its effect unknown, so an Allow does not apply.
  if (options.isAllow && verdicts.includes(undefined)) return false;
  return !verdicts.includes(true);
}

/** Principals must match completely; only `*` matches all, as in IAM. */
function isPrincipal(named: string, principal: string | undefined): boolean {
  return named === '*' || named === principal;
}

function finderOf(context: PolicyContext): FindContextValue {
  const values = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(context)) {
    if (value !== undefined) {
      values.set(key.toLowerCase(), typeof value === 'string' ? [value] : value);
    }
  }
  return (key) => values.get(key);
}
