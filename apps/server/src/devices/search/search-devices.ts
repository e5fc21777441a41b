import type { Executor } from '../../platform/database/database.ts';
import {
  fromDevice,
  fromStatus,
  source as makeSource,
  type Predicate,
  type Source,
} from './device-predicate.ts';
import {
  collectSource,
  estimateSource,
  estimateText,
  measureSource,
  walkSource,
  type Ordering,
  type Position,
  type Walk,
} from './device-search-store.ts';
import { sql } from 'drizzle-orm';

/** How much a page may look at. Sized for a million devices: 25 ms for a first answer, 150 ms for going on. */
export interface SearchBudget {
  /** Index entries of one walk. */
  readonly walkEntries: number;
  /** Matches of one source that are collected and sorted. */
  readonly collectedRows: number;
  /** A source as short as this is collected before any walk is tried. */
  readonly shortRows: number;
  /** Collects what it may before it walks: a walk was tried already. */
  readonly patient: boolean;
}

export interface SearchBudgets {
  readonly first: SearchBudget;
  /** For a page that goes on where the one before found less than it was asked for. */
  readonly goingOn: SearchBudget;
}

export const searchBudgets: SearchBudgets = {
  first: { walkEntries: 2_000, collectedRows: 22_000, shortRows: 2_000, patient: false },
  goingOn: { walkEntries: 30_000, collectedRows: 200_000, shortRows: 2_000, patient: true },
};

export interface SearchRequest {
  /** All must hold. */
  readonly conditions: readonly Predicate[];
  readonly ordering: Ordering;
  readonly limit: number;
  readonly budget: SearchBudget;
}

export interface SearchResult {
  readonly hits: readonly Position[];
  /** Up to where everything has been looked at; null when that is everywhere, or the page is full. */
  readonly searchedTo: Position | null;
}

interface Candidate {
  readonly source: Source;
  /** What is still to be checked on what the source holds. */
  readonly conditions: readonly Predicate[];
  /** How many devices it holds, where that is known. */
  readonly size: number | null;
}

/**
 * Finds a page of devices in a way that is chosen here and never left to the planner: a short source is collected;
 * else a bounded piece of an index that has the right order is walked; else the shortest source is collected if it is
 * not too long; else the answer is what the walk found, and up to where it looked.
 */
export async function searchDevices(on: Executor, request: SearchRequest): Promise<SearchResult> {
  const candidates = await listCandidates(on, request);
  // What an index holds in the page's order with nothing left to check is read off it.
  const readable = candidates.find(
    (each) => each.conditions.length === 0 && isOrdered(each, request),
  );
  if (readable !== undefined && !readable.source.few) return readOff(on, request, readable);
  const short =
    candidates.find(({ source }) => source.few) ?? (await shortest(on, request, candidates));
  if (short !== undefined) return collect(on, request, short);
  const { patient } = request.budget;
  if (patient) {
    const affordable = await shortestAffordable(on, request, candidates);
    if (affordable !== undefined) return collect(on, request, affordable);
  }
  const walks: Walk[] = [];
  for (const candidate of walkable(request, candidates)) {
    const walk = await walkSource(on, {
      source: candidate.source,
      conditions: candidate.conditions,
      ordering: request.ordering,
      entries: request.budget.walkEntries,
      limit: request.limit,
    });
    if (walk.hits.length === request.limit || walk.stoppedAt === null) {
      return { hits: walk.hits, searchedTo: null };
    }
    walks.push(walk);
  }
  if (!patient) {
    const affordable = await shortestAffordable(on, request, candidates);
    if (affordable !== undefined) return collect(on, request, affordable);
  }
  return furthest(walks, request.ordering);
}

async function readOff(
  on: Executor,
  request: SearchRequest,
  candidate: Candidate,
): Promise<SearchResult> {
  const { ordering, limit, budget } = request;
  const { hits } = await walkSource(on, {
    ...candidate,
    ordering,
    limit,
    entries: budget.walkEntries,
  });
  return { hits, searchedTo: null };
}

async function listCandidates(on: Executor, request: SearchRequest): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const condition of request.conditions) {
    for (const source of condition.sources) {
      candidates.push({
        source,
        conditions: source.exact
          ? request.conditions.filter((other) => other !== condition)
          : request.conditions,
        size: source.patterns === undefined ? null : await estimateText(on, source.patterns),
      });
    }
  }
  return candidates;
}

/** Sources with an index in the page's order; the whole index where there is none. */
function walkable(request: SearchRequest, candidates: readonly Candidate[]): Candidate[] {
  const { sort } = request.ordering;
  const ordered = candidates.filter((candidate) => isOrdered(candidate, request));
  if (ordered.length > 0) return ordered;
  const everything =
    sort === 'lastSeen' ? fromStatus(sql`true`, ['lastSeen']) : fromDevice(sql`true`, [sort]);
  return [{ source: makeSource([everything]), conditions: request.conditions, size: null }];
}

/**
 * The shortest source that is worth no walk: short in itself, or without an index in the page's order, so that a walk
 * would have to go through everything.
 */
async function shortest(
  on: Executor,
  request: SearchRequest,
  candidates: readonly Candidate[],
): Promise<Candidate | undefined> {
  const { collectedRows, shortRows } = request.budget;
  let found: Candidate | undefined;
  let best = Infinity;
  const noneOrdered = !candidates.some((candidate) => isOrdered(candidate, request));
  for (const candidate of candidates) {
    const cap = Math.min(best, noneOrdered ? collectedRows : shortRows);
    const size = await sizeOf(on, candidate, cap);
    if (size > cap) continue;
    found = candidate;
    best = size;
  }
  return found;
}

function isOrdered({ source }: Candidate, request: SearchRequest): boolean {
  return source.branches.every((branch) => branch.ordered.includes(request.ordering.sort));
}

async function shortestAffordable(
  on: Executor,
  request: SearchRequest,
  candidates: readonly Candidate[],
): Promise<Candidate | undefined> {
  let cheapest: Candidate | undefined;
  let lowest = Infinity;
  const cap = request.budget.collectedRows;
  for (const candidate of candidates) {
    const size = await sizeOf(on, candidate, cap);
    const cost = size * passes(candidate, request);
    if (size > cap || cost >= lowest) continue;
    cheapest = candidate;
    lowest = cost;
  }
  return cheapest;
}

/** The planner knows how frequent a facet is; how frequent a label is it does not, and counting its index is quick. */
async function sizeOf(on: Executor, { size, source }: Candidate, cap: number): Promise<number> {
  if (size !== null) return size;
  const known = source.branches.every((branch) => branch.table !== null);
  return known ? estimateSource(on, source) : measureSource(on, source, cap);
}

/** How many tables every collected row goes through. */
function passes({ source, conditions }: Candidate, request: SearchRequest): number {
  const keyed = source.branches.every((branch) => branch.keys.includes(request.ordering.sort));
  const onDevice = source.branches.every((branch) => branch.table === 'device');
  const elsewhere = conditions.some((part) => !(onDevice && part.needsDevice && !part.needsStatus));
  return 1 + (keyed ? 0 : 1) + (elsewhere ? 1 : 0);
}

async function collect(
  on: Executor,
  request: SearchRequest,
  candidate: Candidate,
): Promise<SearchResult> {
  const hits = await collectSource(on, {
    source: candidate.source,
    conditions: candidate.conditions,
    ordering: request.ordering,
    limit: request.limit,
  });
  return { hits, searchedTo: null };
}

function furthest(walks: readonly Walk[], ordering: Ordering): SearchResult {
  const best = walks.reduce((one, other) => (isBeyond(other, one, ordering) ? other : one));
  return { hits: best.hits, searchedTo: best.stoppedAt };
}

/** Compared as the database does: by code point, and moments by their text with infinity at the ends. */
function isBeyond(one: Walk, other: Walk, ordering: Ordering): boolean {
  if (one.stoppedAt === null || other.stoppedAt === null) return one.stoppedAt === null;
  const difference = compareKeys(one.stoppedAt.key, other.stoppedAt.key, ordering.sort);
  return ordering.descending ? difference < 0 : difference > 0;
}

function compareKeys(one: string, other: string, sort: Ordering['sort']): number {
  if (sort !== 'lastSeen') return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return seenRankMs(one) - seenRankMs(other) || 0;
}

export function seenRankMs(text: string): number {
  if (text === 'infinity') return Number.MAX_SAFE_INTEGER;
  if (text === '-infinity') return Number.MIN_SAFE_INTEGER;
  return new Date(text).getTime();
}
