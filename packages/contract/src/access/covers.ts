import { consequences, type Grant, type Permission, type Scope } from './permissions.ts';

/**
 * What of a grant somebody does not hold themselves, and so cannot give (docs/design/decisions.md, section 7). Empty:
 * they hold all of it, wherever it reaches.
 */
export function permissionsBeyond(own: readonly Grant[], wanted: Grant): Permission[] {
  return wanted.permissions.filter((permission) => {
    const scopes = own.filter((grant) => holdsFor(grant, permission)).map((grant) => grant.scope);
    return !coversScope(scopes, wanted.scope);
  });
}

/**
 * One command may be given by who holds it, or may run commands of every class: the class of a command can change with
 * its document.
 */
function holdsFor({ permissions }: Grant, permission: Permission): boolean {
  if (permissions.includes(permission)) return true;
  return (
    permission.startsWith('commands:run:') &&
    !permission.startsWith('commands:run:@') &&
    consequences.every((each) => permissions.includes(`commands:run:@${each}`))
  );
}

/** Whether the scopes together reach everything that another reaches. */
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
