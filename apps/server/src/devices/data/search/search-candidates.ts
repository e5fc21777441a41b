import { sql } from 'drizzle-orm';
import type { DeviceSort } from '@deviceportal/contract/devices';
import type { Executor } from '../../../platform/database/database.ts';
import type { Branch, Predicate, Source } from './device-predicate.ts';
import { estimateSources, estimateText, measureSource } from './estimate-source.ts';
import { statusEntry } from './search-rows.ts';

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
    for (const found of condition.sources) {
      const source = withinSeenRange(found, wanted);
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
 * An index by "last seen" is collected only in the range that the conditions imply: devices of a country that never
 * connected are one range of it. Without `offset 0`, the planner would read all devices that never connected, because to
 * it the range and the connectivity are independent.
 */
function withinSeenRange(source: Source, wanted: readonly Predicate[]): Source {
  const ranges = wanted.flatMap(({ seenRange }) => seenRange ?? []);
  const isBySeen = ({ table, ordered }: Branch): boolean =>
    table === 'device_status' && ordered.includes('lastSeen');
  if (ranges.length === 0 || source.unordered !== undefined || !source.branches.every(isBySeen)) {
    return source;
  }
  const unordered = source.branches.map((branch) => {
    const within = sql.join([branch.where, ...ranges], sql` and `);
    const from = sql`(select * from ${branch.from} where ${within} offset 0) ${statusEntry}`;
    return { ...branch, from, where: sql`true` };
  });
  return { ...source, unordered };
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
  const sizes = await estimatedSizes(on, candidates);
  const countedLast = candidates
    .map((candidate) => ({
      candidate,
      size: candidate.size ?? (isCounted(candidate) ? null : (sizes.get(candidate) ?? null)),
    }))
    .toSorted((one, other) => Number(one.size === null) - Number(other.size === null));
  for (const { candidate, size: estimate } of countedLast) {
    const rowCost = costOfRow(candidate, collection.sort);
    const cap = Math.min(collection.mostRows, Math.floor(lowest / rowCost));
    if (isCounted(candidate) && (sizes.get(candidate) ?? 0) > CERTAINLY_MORE * cap) continue;
    const size = estimate ?? (await measureSource(on, candidate.source, cap));
    if (size > cap || size * rowCost >= lowest) continue;
    cheapest = candidate;
    lowest = size * rowCost;
  }
  return cheapest;
}

const isCounted = ({ size, source }: Candidate): boolean =>
  size === null && source.branches.some((branch) => branch.table === null);

/**
 * The planner's estimate is good for facets. Labels are counted by their index, which is fast unless they are on a large
 * share of the devices, which is known from the estimate.
 */
async function estimatedSizes(
  on: Executor,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, number>> {
  const estimated = candidates.filter(
    (candidate) =>
      candidate.size === null && (!isCounted(candidate) || candidate.source.isEstimated === true),
  );
  const sizes = await estimateSources(
    on,
    estimated.map(({ source }) => source),
  );
  return new Map(estimated.map((candidate, at) => [candidate, sizes[at] ?? Infinity]));
}

/** Estimates above a limit by this factor are certainly above it. */
const CERTAINLY_MORE = 3;

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
