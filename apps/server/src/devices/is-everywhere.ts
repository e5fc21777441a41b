import type { Scope } from '@deviceportal/contract/permissions';

/** Whether a scope has no limits. */
export function isEverywhere(scope: Scope): boolean {
  return (
    scope.countries.length === 0 &&
    scope.models.length === 0 &&
    Object.keys(scope.labels).length === 0
  );
}
