import {
  administratorPermissions,
  consequences,
  optInPermissions,
  type Grant,
  type Permission,
  type Scope,
} from './permissions.ts';

/**
 * The permissions of a grant that a user does not have and therefore cannot assign
 * (docs/design/decisions.md, section 7). Empty if the user has all of them in the grant's entire
 * scope.
 */
export function permissionsBeyond(own: readonly Grant[], wanted: Grant): Permission[] {
  return wanted.permissions.filter((permission) => {
    const scopes = own.filter((grant) => holdsFor(grant, permission)).map((grant) => grant.scope);
    return !coversScope(scopes, wanted.scope);
  });
}

/**
 * An opt-in permission is covered by all others together, because no built-in role has it. A
 * permission for one command is covered by the same permission, or by the permissions for all
 * consequences, because the consequence of a command can change with its document.
 */
function holdsFor({ permissions }: Grant, permission: Permission): boolean {
  if (permissions.includes(permission)) return true;
  if (optInPermissions.some((each) => each === permission))
    return administratorPermissions.every((each) => permissions.includes(each));
  return (
    permission.startsWith('commands:run:') &&
    !permission.startsWith('commands:run:@') &&
    consequences.every((each) => permissions.includes(`commands:run:@${each}`))
  );
}

/** Whether the scopes together cover the other scope. */
function coversScope(scopes: readonly Scope[], wanted: Scope): boolean {
  const countries = wanted.countries.length === 0 ? [null] : wanted.countries;
  const models = wanted.models.length === 0 ? [null] : wanted.models;
  const isIn = (value: string | null, list: readonly string[]): boolean =>
    list.length === 0 || (value !== null && list.includes(value));
  return countries.every((country) =>
    models.every((model) =>
      scopes.some(
        (scope) =>
          isIn(country, scope.countries) &&
          isIn(model, scope.models) &&
          Object.entries(scope.labels).every(([key, value]) => wanted.labels[key] === value),
      ),
    ),
  );
}
