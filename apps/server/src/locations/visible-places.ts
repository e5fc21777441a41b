import type { DeviceFilter } from '@deviceportal/contract/devices';
import { scopesOf, type Permission } from '@deviceportal/contract/permissions';
import type { Predicate } from '../devices/data/search/device-predicate.ts';
import { inService } from '../devices/data/search/facet-predicates.ts';
import { filterConditions } from '../devices/data/search/filter-conditions.ts';
import { scopePredicate } from '../devices/data/search/scope-predicate.ts';
import type { Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

/** The facts that the counters of the map have of a device. */
const countedKeys = new Set<string>(['country', 'model', 'connectivity']);
const countedOperators = new Set<string>(['=', '!=']);

export interface VisiblePlaces {
  /** All conditions must hold. */
  readonly conditions: readonly Predicate[];
  /** The conditions use only facts that the counters have. */
  readonly isCounted: boolean;
}

export interface PlacesQuestion {
  readonly filter: DeviceFilter;
  readonly now: Date;
  /** Requests the devices themselves, not their counters. */
  readonly uncounted?: boolean;
}

/** The devices that a map shows: those of the list with the same filter whose locations the viewer may see. */
export async function visiblePlaces(
  on: Executor,
  viewer: Viewer,
  { filter, now, uncounted }: PlacesQuestion,
): Promise<VisiblePlaces> {
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
      // The counters do not include retired devices.
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
