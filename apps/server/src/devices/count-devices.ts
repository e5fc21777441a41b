import type { DeviceFilter } from '@deviceportal/contract/devices';
import type { CappedCount } from '@deviceportal/contract/pages';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { fromStatus, source as makeSource } from './search/device-predicate.ts';
import { countSource, estimateText, measureSource } from './search/device-search-store.ts';
import { filterConditions } from './search/filter-conditions.ts';
import { sql } from 'drizzle-orm';

/** Counts are exact up to here. */
export const COUNT_CAP = 10_000;
/** How many devices a count may look at before it says "at least". */
const COUNTED_ENTRIES = 60_000;
/** Text is counted through its index, which costs less for each match. */
const COUNTED_TEXT_MATCHES = 300_000;

export async function countDevices(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  filter: DeviceFilter,
): Promise<CappedCount> {
  const on = deps.database.orm;
  const conditions = await filterConditions(on, viewer, { filter, now: deps.clock() });
  let best = { source: makeSource([fromStatus(sql`true`)]), conditions };
  let entries = COUNTED_ENTRIES;
  let smallest = COUNTED_ENTRIES;
  for (const condition of conditions) {
    for (const source of condition.sources) {
      const others = source.exact ? conditions.filter((other) => other !== condition) : conditions;
      const text = source.patterns !== undefined;
      const size =
        source.patterns === undefined
          ? await measureSource(on, source, smallest)
          : await estimateText(on, source.patterns);
      const affordable =
        size <= smallest || (text && size <= COUNTED_TEXT_MATCHES && smallest === COUNTED_ENTRIES);
      if (!affordable && others.length > 0) continue;
      best = { source, conditions: others };
      entries = text ? COUNTED_TEXT_MATCHES : COUNTED_ENTRIES;
      smallest = Math.min(smallest, size);
    }
  }
  if (best.conditions.length === 0) entries = COUNT_CAP + 1;
  const { count, lookedAt } = await countSource(on, { ...best, entries, limit: COUNT_CAP + 1 });
  if (count > COUNT_CAP) return { count: COUNT_CAP, exact: false };
  return { count, exact: best.conditions.length === 0 || lookedAt < entries };
}
