import type { DeviceFilter } from '@deviceportal/contract/devices';
import { scopesOf, type Permission } from '@deviceportal/contract/permissions';
import { findPeopleByEmail, findPeopleByPhone } from '../../../people/data/find-people-reached.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import type { Predicate } from './device-predicate.ts';
import { serialBeginsWith } from './facet-predicates.ts';
import { filterPredicates } from './filter-predicates.ts';
import { scopePredicate } from './scope-predicate.ts';
import { searchBudgets, searchDevices } from './search-devices.ts';
import { textPredicate } from './text-predicate.ts';

/** An email address or phone number that fits more people than this is too short to mean one of them. */
const PEOPLE_LIMIT = 500;

/**
 * Everything that a device must meet to be in a viewer's list, as conditions that must all hold: scope, text, tokens.
 *
 * @param filter of the viewer; `permissions` are those of which any one must reach the device
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
  const scope = scopePredicate(viewer.grants, permissions);
  const text = await textPredicate(request.filter.text, {
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

/** Everything of a viewer that decides which devices a filter means: who is alike in it shares an answer. */
export function filterReachOf(viewer: Viewer): unknown {
  const { grants } = viewer;
  return [
    (['devices:read', 'locations:read', 'versions:read'] as const).map((permission) =>
      scopesOf(grants, [permission]),
    ),
    seesEveryOwner(viewer, ['devices:read']),
  ];
}

/** Whether wherever the viewer sees devices, the people who own them may be seen as well. */
function seesEveryOwner(viewer: Viewer, permissions: readonly Permission[]): boolean {
  return viewer.grants
    .filter((grant) => permissions.some((permission) => grant.permissions.includes(permission)))
    .every((grant) => grant.permissions.includes('people:read'));
}

/** Devices outside the scope decide nothing: what a text means would tell that they are there. */
async function anySerialBeginsWith(
  on: Executor,
  scope: Predicate | null,
  prefix: string,
): Promise<boolean> {
  const begins = serialBeginsWith(prefix);
  const { hits } = await searchDevices(on, {
    conditions: scope === null ? [begins] : [begins, scope],
    ordering: { sort: 'serialNumber', descending: false, after: null },
    limit: 1,
    budget: searchBudgets.first,
  });
  return hits.length > 0;
}
