import type { DeviceFilter } from '@deviceportal/contract/devices';
import { scopesOf, type Permission } from '@deviceportal/contract/permissions';
import { findPeopleByEmail, findPeopleByPhone } from '../../../people/data/find-people-reached.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { neverTrue, type Predicate } from './device-predicate.ts';
import { serialBeginsWith } from './facet-predicates.ts';
import { filterPredicates } from './filter-predicates.ts';
import { scopePredicate, scopePredicateFor } from './scope-predicate.ts';
import { searchBudgets, searchDevices, type SearchRequest } from './search-devices.ts';
import { textPredicate } from './text-predicate.ts';
import { walkToEnd } from './walk-source.ts';

/** An email address or phone number that matches more people than this is too short to identify one. */
const PEOPLE_LIMIT = 500;

/**
 * Conditions for devices in a viewer's list, all of which must be met: scope, text, and filter tokens.
 *
 * @param filter of the viewer; the device must be in the scope of any of the `permissions`
 */
export async function filterConditions(
  on: Executor,
  viewer: Viewer,
  request: {
    readonly filter: DeviceFilter;
    readonly now: Date;
    readonly permissions?: readonly Permission[];
  },
): Promise<Predicate[]> {
  const permissions = request.permissions ?? ['devices:read'];
  const scope = scopePredicateFor(scopesOf(viewer.grants, permissions), request.filter);
  const searched = scope === neverTrue ? '' : request.filter.text;
  const text = await textPredicate(searched, {
    maySeePeople: seesEveryOwner(viewer, permissions),
    anySerialBeginsWith: (prefix) => anySerialBeginsWith(on, scope, prefix),
    peopleByEmail: (prefix) => findPeopleByEmail(on, prefix, PEOPLE_LIMIT),
    peopleByPhone: (prefix) => findPeopleByPhone(on, prefix, PEOPLE_LIMIT),
  });
  return [
    ...(scope === null ? [] : [scope]),
    ...(text === null ? [] : [text]),
    ...filterPredicates(request.filter, {
      now: request.now,
      mayLocate: scopePredicate(viewer.grants, ['locations:read']),
      mayReadPackages: scopePredicate(viewer.grants, ['versions:read']),
    }),
  ];
}

/**
 * All attributes of a viewer that determine which devices a filter matches. Viewers with equal values share results.
 */
export function filterReachOf(viewer: Viewer): unknown {
  const { grants } = viewer;
  return [
    (['devices:read', 'locations:read', 'versions:read'] as const).map((permission) =>
      scopesOf(grants, [permission]),
    ),
    seesEveryOwner(viewer, ['devices:read']),
  ];
}

/** Whether the viewer can see the owners of all devices that they can see. */
function seesEveryOwner(viewer: Viewer, permissions: readonly Permission[]): boolean {
  return viewer.grants
    .filter((grant) => permissions.some((permission) => grant.permissions.includes(permission)))
    .every((grant) => grant.permissions.includes('people:read'));
}

/** Ignores devices outside the scope, because the interpretation of the text would reveal their existence. */
async function anySerialBeginsWith(
  on: Executor,
  scope: Predicate | null,
  prefix: string,
): Promise<boolean> {
  const begins = serialBeginsWith(prefix);
  const request: SearchRequest = {
    conditions: scope === null ? [begins] : [begins, scope],
    ordering: { sort: 'serialNumber', descending: false, after: null },
    limit: 1,
    budget: searchBudgets.first,
  };
  const [source] = begins.sources;
  if (scope !== null && source !== undefined) {
    // Most prefixes have few serial numbers, or none.
    const entries = request.budget.probeEntries;
    const near = await walkToEnd(on, { ...request, source, conditions: [scope], entries });
    if (near.hits.length > 0 || near.end === null) return near.hits.length > 0;
  }
  const { hits } = await searchDevices(on, request);
  return hits.length > 0;
}
