import type { DeviceFilter } from '@deviceportal/contract/devices';
import { scopesOf, type Permission } from '@deviceportal/contract/permissions';
import type { Predicate } from '../devices/data/search/device-predicate.ts';
import { inService } from '../devices/data/search/facet-predicates.ts';
import { filterConditions } from '../devices/data/search/filter-conditions.ts';
import { scopePredicate } from '../devices/data/search/scope-predicate.ts';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

/** What the counters of the map know of a device. */
const countedKeys = new Set<string>(['country', 'model', 'connectivity']);
const countedOperators = new Set<string>(['=', '!=']);

export interface SeenPlaces {
  /** All must hold. */
  readonly conditions: readonly Predicate[];
  /** They ask nothing but what the counters know. */
  readonly isCounted: boolean;
}

export interface PlacesQuestion {
  readonly filter: DeviceFilter;
  readonly now: Date;
  /** The devices themselves are asked for, not their counters. */
  readonly uncounted?: boolean;
}

/** Which devices a map shows: those of the list with the same filter, as far as their places may be seen. */
export async function seenPlaces(
  on: Executor,
  viewer: Viewer,
  { filter, now, uncounted }: PlacesQuestion,
): Promise<SeenPlaces> {
  const listed = await filterConditions(on, viewer, { filter, now });
  const mayLocate = sameReach(viewer, 'locations:read', 'devices:read')
    ? null
    : scopePredicate(viewer.grants, ['locations:read']);
  const asksLifecycle = filter.tokens.some(({ key }) => key === 'lifecycle');
  const isCounted = uncounted !== true && asksCounted(filter) && scopesAreCounted(viewer);
  return {
    conditions: [
      ...listed,
      ...(mayLocate === null ? [] : [mayLocate]),
      // The counters leave retired devices out themselves.
      ...(asksLifecycle || isCounted ? [] : [inService()]),
    ],
    isCounted,
  };
}

function asksCounted({ text, tokens, targetListId }: DeviceFilter): boolean {
  return (
    text === '' &&
    targetListId === null &&
    tokens.every(({ key, operator }) => countedKeys.has(key) && countedOperators.has(operator))
  );
}

function scopesAreCounted({ grants }: Viewer): boolean {
  return scopesOf(grants, ['devices:read', 'locations:read']).every(
    ({ labels }) => Object.keys(labels).length === 0,
  );
}

const sameReach = ({ grants }: Viewer, one: Permission, other: Permission): boolean =>
  JSON.stringify(scopesOf(grants, [one])) === JSON.stringify(scopesOf(grants, [other]));
