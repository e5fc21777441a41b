import { parsePolicy, parseTrustPolicy } from '../policy/parse-policy.ts';
import type { Policy } from '../policy/policy-document.ts';
import type { IdentitySettings } from '../settings.ts';
import { builtinRoles, type RoleDefinition } from './builtin-roles.ts';
import { roleArn, stableId, type PoolNames } from './role-arn.ts';

/** A set of rights that credentials carry for a time. */
export interface Role {
  readonly name: string;
  readonly arn: string;
  /** `AROA…`, as GetCallerIdentity shows it. */
  readonly id: string;
  readonly policies: readonly Policy[];
  /** Who can assume the role, and under which conditions. */
  readonly trust: Policy;
  readonly maxSessionSeconds: number;
}

/** Every role of this installation by its ARN. */
export type Roles = ReadonlyMap<string, Role>;

/**
 * The built-in roles and those of the settings; one of the settings takes the place of a built-in one of its name.
 * @throws MalformedPolicyError
 */
export function readRoles(settings: PoolNames & Pick<IdentitySettings, 'roles'>): Roles {
  const definitions: Readonly<Record<string, RoleDefinition>> = {
    ...builtinRoles(settings),
    ...settings.roles,
  };
  const roles = Object.entries(definitions).map(([name, definition]): Role => {
    const arn = roleArn(settings, name);
    return {
      name,
      arn,
      id: `AROA${stableId(arn)}`,
      policies: definition.policies.map((policy) => parsePolicy(policy)),
      trust: parseTrustPolicy(definition.trust),
      maxSessionSeconds: definition.maxSessionSeconds,
    };
  });
  return new Map(roles.map((role) => [role.arn, role]));
}
