import { sql } from 'drizzle-orm';
import type { DeviceFilter } from '@deviceportal/contract/devices';
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
  return scopePredicateFor(scopesOf(grants, permissions), null);
}

/** Only of those scopes that can contain a match of the filter, so that a search in other countries reads nothing. */
export function scopePredicateFor(
  scopes: readonly Scope[],
  filter: DeviceFilter | null,
): Predicate | null {
  if (scopes.some(isEverywhere)) return null;
  const possible = filter === null ? scopes : scopes.filter((scope) => canContain(scope, filter));
  return anyOf(possible.map(oneScope));
}

function canContain(scope: Scope, { tokens, operation }: DeviceFilter): boolean {
  if (operation === 'or' && tokens.length > 1) return true;
  const { countries, models } = scope;
  return tokens.every(({ key, operator, values }) => {
    if (operator !== '=') return true;
    if (key === 'country')
      return overlap(
        countries,
        values.map((value) => value.toUpperCase()),
      );
    return key !== 'model' || overlap(models, values);
  });
}

/** Without limits, everything is allowed. */
const overlap = (limits: readonly string[], values: readonly string[]): boolean =>
  limits.length === 0 || values.some((value) => limits.includes(value));

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
