import { listDevicesInput, type DeviceFilter } from '@deviceportal/contract/devices';
import type { EstimatedCount } from '@deviceportal/contract/search';
import type { Viewer } from '../../platform/viewer.ts';
import { estimateDevices } from '../data/estimate-devices.ts';
import { countSource } from '../data/search/collect-source.ts';
import { filterConditions } from '../data/search/filter-conditions.ts';
import { cheapestCandidate, listCandidates } from '../data/search/search-candidates.ts';
import { countSampled } from '../data/search/count-sampled.ts';
import { listDeviceIds, type ListDependencies } from './list-devices.ts';

/** Sources with more devices are estimated by a sample. */
const COUNTED_ROWS = 3_000;
/** Fewer matches in the sample are too few for an estimate. */
const FEWEST_SAMPLED = 5;
const FIRST_ROWS = 25;

/** Number of devices that match a filter within the viewer's scope, in a few milliseconds: above some thousands, by a sample. */
export async function estimateMatches(
  deps: ListDependencies,
  viewer: Viewer,
  filter: DeviceFilter,
): Promise<EstimatedCount> {
  const on = deps.database.orm;
  const conditions = await filterConditions(on, viewer, { filter, now: deps.clock() });
  const cheapest = await cheapestCandidate(on, await listCandidates(on, conditions), {
    sort: null,
    mostRows: COUNTED_ROWS,
  });
  if (cheapest !== undefined) {
    const count = await countSource(on, { ...cheapest, limit: COUNTED_ROWS + 1 });
    // The planner can have expected fewer.
    if (count <= COUNTED_ROWS) return { count, isExact: true };
  }
  const { matching, examined } = await countSampled(on, conditions);
  if (matching >= FEWEST_SAMPLED) {
    const all = Math.max(examined, await estimateDevices(on));
    const isExact = matching === all;
    return { count: isExact ? matching : rounded((all * matching) / examined), isExact };
  }
  const input = listDevicesInput.parse({ filter, sort: 'serialNumber', pageSize: FIRST_ROWS });
  const page = await listDeviceIds(deps, viewer, input);
  return { count: page.ids.length, isExact: page.complete && page.nextCursor === null };
}

/** With two digits. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.round(count / unit) * unit;
}
