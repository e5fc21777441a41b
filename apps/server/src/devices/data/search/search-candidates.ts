import type { DeviceSort } from '@deviceportal/contract/devices';
import type { Executor } from '../../../platform/database/database.ts';
import type { Predicate, Source } from './device-predicate.ts';
import { estimateSource, estimateText, measureSource } from './estimate-source.ts';

export interface Candidate {
  readonly source: Source;
  /** Conditions to be checked on the devices in the source. */
  readonly conditions: readonly Predicate[];
  /** Number of devices in it, if known. */
  readonly size: number | null;
}

/** All sources that contain every match, each with the remaining conditions. */
export async function listCandidates(
  on: Executor,
  wanted: readonly Predicate[],
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const condition of wanted) {
    for (const source of condition.sources) {
      candidates.push({
        source,
        conditions: source.exact ? wanted.filter((other) => other !== condition) : wanted,
        size: source.patterns === undefined ? null : await estimateText(on, source.patterns),
      });
    }
  }
  return candidates;
}

/**
 * The candidate with the lowest cost to collect, of those with at most the given number of rows. Those that must be counted
 * come last, and are counted only up to the cost of the cheapest one before. A source that is known to be empty is not compared.
 */
export async function cheapestCandidate(
  on: Executor,
  candidates: readonly Candidate[],
  collection: { readonly sort: DeviceSort | null; readonly mostRows: number },
): Promise<Candidate | undefined> {
  const empty = candidates.find(({ source }) => source.branches.length === 0);
  if (empty !== undefined) return empty;
  let cheapest: Candidate | undefined;
  let lowest = Infinity;
  const countedLast = candidates.toSorted(
    (one, other) => Number(isCounted(one)) - Number(isCounted(other)),
  );
  for (const candidate of countedLast) {
    const rowCost = costOfRow(candidate, collection.sort);
    const cap = Math.min(collection.mostRows, Math.floor(lowest / rowCost));
    const size = await sizeOf(on, candidate, cap);
    if (size > cap || size * rowCost >= lowest) continue;
    cheapest = candidate;
    lowest = size * rowCost;
  }
  return cheapest;
}

const isCounted = ({ size, source }: Candidate): boolean =>
  size === null && source.branches.some((branch) => branch.table === null);

/** The planner's estimate is good for facets. Labels are counted by their index, which is fast. */
async function sizeOf(on: Executor, candidate: Candidate, cap: number): Promise<number> {
  const { size, source } = candidate;
  if (size !== null) return size;
  return isCounted(candidate) ? measureSource(on, source, cap) : estimateSource(on, source);
}

/** Microseconds per row, measured with a million devices: index-only read, read with its table, look-up. */
const rowCostUs = { index: 0.1, table: 0.35, deviceLookup: 1, statusLookup: 0.3 };

/** Cost of collecting a row of a source: reading it, checking the other conditions, and getting its sort key. */
function costOfRow({ source, conditions }: Candidate, sort: DeviceSort | null): number {
  const tables = new Set(source.branches.map((branch) => branch.table));
  const keyed = sort === null || source.branches.every((branch) => branch.keys[sort] !== undefined);
  const elsewhere = (table: 'device' | 'device_status', asked: boolean) =>
    asked && !(tables.size === 1 && tables.has(table));
  const asksDevice =
    conditions.some((part) => part.needsDevice && part.whereOnStatus === undefined) ||
    (!keyed && sort !== 'lastSeen');
  const asksStatus = conditions.some((part) => part.needsStatus) || (!keyed && sort === 'lastSeen');
  return (
    (tables.has(null) ? rowCostUs.index : rowCostUs.table) +
    (elsewhere('device', asksDevice) ? rowCostUs.deviceLookup : 0) +
    (elsewhere('device_status', asksStatus) ? rowCostUs.statusLookup : 0)
  );
}
