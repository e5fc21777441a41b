import type { DeviceFilter } from '@deviceportal/contract/devices';
import type { CappedCount } from '@deviceportal/contract/pages';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { countSomeOfSource, countSource } from '../data/search/collect-source.ts';
import { wholeFleet, type Predicate } from '../data/search/device-predicate.ts';
import { filterConditions } from '../data/search/filter-conditions.ts';
import { cheapestCandidate, listCandidates } from '../data/search/search-candidates.ts';

/** Counts are exact up to this number. */
const COUNT_CAP = 10_000;
/** Sources with more devices are not counted completely. */
const COUNTED_ROWS = 300_000;
/** Number of devices that are examined without such a source, before the count is reported as "at least". */
const COUNTED_ENTRIES = 60_000;

export async function countDevices(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  filter: DeviceFilter,
): Promise<CappedCount> {
  const on = deps.database.orm;
  const conditions = await filterConditions(on, viewer, { filter, now: deps.clock() });
  const limit = COUNT_CAP + 1;
  const candidates = await listCandidates(on, conditions);
  const whole = { source: wholeFleet(), conditions };
  const chosen =
    conditions.length === 0
      ? whole
      : (candidates.find((each) => each.conditions.length === 0) ??
        (await cheapestCandidate(on, candidates, { sort: null, mostRows: COUNTED_ROWS })));
  if (chosen === undefined) return countSome(on, conditions);
  const count = await countSource(on, { ...chosen, limit });
  return count < limit ? { count, exact: true } : { count: COUNT_CAP, exact: false };
}

async function countSome(on: Executor, conditions: readonly Predicate[]): Promise<CappedCount> {
  const { count, examined } = await countSomeOfSource(on, {
    source: wholeFleet(),
    conditions,
    limit: COUNT_CAP + 1,
    entries: COUNTED_ENTRIES,
  });
  if (count > COUNT_CAP) return { count: COUNT_CAP, exact: false };
  return { count, exact: examined < COUNTED_ENTRIES };
}
