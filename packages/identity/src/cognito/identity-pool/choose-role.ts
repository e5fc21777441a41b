import { z } from 'zod';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import { momentContext, type CallFacts } from '../roles/policy-context.ts';
import type { Role } from '../roles/role.ts';
import type { RoleRule } from '../settings.ts';
import { invalidParameter, notAuthorized, WireError } from '../wire/wire-error.ts';
import type { CheckedLogin } from './check-logins.ts';
import type { IdentityContext } from './identity-context.ts';

const roleClaimsSchema = z.object({
  'cognito:roles': z.array(z.string()).default([]),
  'cognito:preferred_role': z.string().optional(),
});

type RoleContext = Pick<IdentityContext, 'settings' | 'roles'>;

interface RoleRequest {
  /** Undefined for a guest. */
  readonly login: CheckedLogin | undefined;
  readonly customRoleArn: string | undefined;
  readonly facts: CallFacts;
}

/**
 * The role of an identity's credentials: the guest role, the requested role of the token, the
 * token's preferred role, the role of the first matching rule, or the role of all signed-in users
 * ("Amazon Cognito: using role-based access control").
 * @throws InvalidParameterException, NotAuthorizedException or
 * InvalidIdentityPoolConfigurationException
 */
export function chooseRole(context: RoleContext, request: RoleRequest): Role {
  const arn = arnFor(context, request);
  const role = arn === null ? undefined : context.roles.get(arn);
  if (role === undefined || !trustsPool(context, role, request)) {
    throw new WireError(
      'InvalidIdentityPoolConfigurationException',
      'Invalid identity pool configuration. Check assigned IAM roles for this pool.',
    );
  }
  return role;
}

function arnFor({ settings }: RoleContext, { login, customRoleArn }: RoleRequest): string | null {
  const { authenticated, unauthenticated, choice, rules } = settings.identityPoolRoles;
  const claims = roleClaimsSchema.safeParse(login?.claims ?? {});
  const roles = claims.data?.['cognito:roles'] ?? [];
  if (customRoleArn !== undefined) {
    if (choice === 'token' && login !== undefined && roles.includes(customRoleArn)) {
      return customRoleArn;
    }
    throw invalidParameter('CustomRoleArn is not among the roles of this identity.');
  }
  if (login === undefined) return unauthenticated;
  if (choice === 'default') return authenticated;
  const chosen =
    choice === 'token'
      ? claims.data?.['cognito:preferred_role']
      : rules.find((rule) => fits(rule, login.claims))?.roleArn;
  if (chosen !== undefined) return chosen;
  if (settings.identityPoolRoles.ambiguous === 'deny') {
    throw notAuthorized('Access denied. The role of this identity is ambiguous.');
  }
  return authenticated;
}

function fits(rule: RoleRule, claims: Readonly<Record<string, unknown>>): boolean {
  const claim = Object.hasOwn(claims, rule.claim) ? claims[rule.claim] : undefined;
  if (claim === undefined) return false;
  const text = Array.isArray(claim) ? claim.join(',') : String(claim);
  switch (rule.matchType) {
    case 'Equals':
      return text === rule.value;
    case 'NotEqual':
      return text !== rule.value;
    case 'StartsWith':
      return text.startsWith(rule.value);
    case 'Contains':
      return text.includes(rule.value);
  }
}

/** A group may name any role: the role's own trust policy decides whether the pool may hand it out. */
function trustsPool({ settings }: RoleContext, role: Role, request: RoleRequest): boolean {
  const { login, facts } = request;
  const decision = evaluatePolicy([role.trust], {
    action: 'sts:AssumeRoleWithWebIdentity',
    resource: role.arn,
    principal: 'cognito-identity.amazonaws.com',
    context: {
      ...momentContext(facts),
      'cognito-identity.amazonaws.com:aud': settings.identityPoolId,
      'cognito-identity.amazonaws.com:amr': login
        ? ['authenticated', login.provider]
        : ['unauthenticated'],
      'deviceportal:Groups': login?.person.groups,
    },
  });
  return decision === 'allowed';
}
