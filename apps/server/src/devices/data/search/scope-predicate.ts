import { sql } from 'drizzle-orm';
import {
  scopesOf,
  type Grant,
  type Permission,
  type Scope,
} from '@deviceportal/contract/permissions';
import { allOf, anyOf, onDevice, textArrayParam, type Predicate } from './device-predicate.ts';
import { facetIs, labelIs } from './facet-predicates.ts';
import { d } from './search-rows.ts';
import { isEverywhere } from '../../is-everywhere.ts';

/**
 * The devices in the scope of a permission, as a condition; null for all devices. Grants of several roles are combined,
 * each with its own scope.
 */
export function scopePredicate(
  grants: readonly Grant[],
  permissions: readonly Permission[],
): Predicate | null {
  const scopes = scopesOf(grants, permissions);
  if (scopes.some(isEverywhere)) return null;
  return anyOf(scopes.map(oneScope));
}

function oneScope(scope: Scope): Predicate {
  return allOf([
    ...(scope.countries.length === 0 ? [] : [facet('country', scope.countries)]),
    ...(scope.models.length === 0 ? [] : [facet('model', scope.models)]),
    ...Object.entries(scope.labels).map(([key, value]) => labelIs(key, value)),
  ]);
}

/** A scope with more values than an ordered walk can merge is only used as a filter. */
function facet(key: 'country' | 'model', values: readonly string[]): Predicate {
  const mergeable = 8;
  if (values.length <= mergeable) return facetIs(key, values);
  return onDevice(sql`${d[key]} = any(${textArrayParam(values)})`);
}
