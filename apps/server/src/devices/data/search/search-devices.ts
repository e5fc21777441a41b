import type { Executor } from '../../../platform/database/database.ts';
import { fromDevice, source as makeSource, type Predicate } from './device-predicate.ts';
import { devicesBySeen } from './facet-predicates.ts';
import { collectSource } from './collect-source.ts';
import { cheapestCandidate, listCandidates, type Candidate } from './search-candidates.ts';
import type { Ordering, Position } from './search-order.ts';
import { walkSource, walkToEnd, type WalkRequest } from './walk-source.ts';
import { sql } from 'drizzle-orm';

/**
 * Limits of the work for a page. Sized for a million devices: 25 ms for the first page, 150 ms for a continued search.
 */
export interface SearchBudget {
  /** Index entries of a walk that only tests whether matches are near. */
  readonly probeEntries: number;
  /** Index entries of one walk. */
  readonly walkEntries: number;
  /** Matches of one source that are collected and sorted. */
  readonly collectedRows: number;
  /** IDs of a collection that are looked up first when sorting by "last seen". */
  readonly tiedIds: number;
  /** Whether to collect first if possible, because a walk was already tried. */
  readonly patient: boolean;
}

export interface SearchBudgets {
  readonly first: SearchBudget;
  /** For a page after one that found fewer devices than requested. */
  readonly goingOn: SearchBudget;
}

export const searchBudgets: SearchBudgets = {
  first: {
    probeEntries: 300,
    walkEntries: 2_000,
    collectedRows: 22_000,
    tiedIds: 2_000,
    patient: false,
  },
  goingOn: {
    probeEntries: 300,
    walkEntries: 30_000,
    collectedRows: 200_000,
    tiedIds: 2_000,
    patient: true,
  },
};

export interface SearchRequest {
  /** All must be met. */
  readonly conditions: readonly Predicate[];
  readonly ordering: Ordering;
  readonly limit: number;
  readonly budget: SearchBudget;
}

export interface SearchResult {
  readonly hits: readonly Position[];
  /** Position up to which all entries have been examined; null if all have been, or if the page is full. */
  readonly searchedTo: Position | null;
}

interface Walk {
  readonly hits: readonly Position[];
  /** The last entry that was examined. */
  readonly stoppedAt: Position;
}

/**
 * Finds a page of devices with a strategy that is chosen here instead of by the planner. If an index contains exactly
 * the matches in the order of the page, they are read from it, as are all devices without a condition. A source that is as
 * small as a short range is collected. Otherwise a short range of each index in that order is walked, and a longer one if
 * the short one predicts a full page. Otherwise the cheapest source is collected, if it is small enough. Otherwise the
 * result is what a walk finds, with the position that it reached.
 */
export async function searchDevices(on: Executor, request: SearchRequest): Promise<SearchResult> {
  if (request.conditions.length === 0) return readInOrder(on, request, everything(request));
  const candidates = await listCandidates(on, request.conditions);
  const readable = candidates.find(
    (each) => each.conditions.length === 0 && isOrdered(each, request),
  );
  if (readable !== undefined && !readable.source.few) return readInOrder(on, request, readable);
  const few = candidates.find(
    ({ source, size }) => source.few || (size !== null && size <= request.budget.probeEntries),
  );
  if (few !== undefined) return collect(on, request, few);
  const near = request.budget.patient ? null : await probe(on, request, candidates);
  if (near !== null) return near;
  const affordable = await cheapestCandidate(on, candidates, {
    sort: request.ordering.sort,
    mostRows: request.budget.collectedRows,
  });
  if (affordable !== undefined) return collect(on, request, affordable);
  return walkCandidates(on, request, candidates);
}

/** A full page if there is one near the start of an ordered source; otherwise null. */
async function probe(
  on: Executor,
  request: SearchRequest,
  candidates: readonly Candidate[],
): Promise<SearchResult | null> {
  const { probeEntries, walkEntries } = request.budget;
  let richest: WalkRequest | undefined;
  let most = 0;
  const ordered = candidates.filter((each) => isOrdered(each, request));
  // The full index by "last seen" is merged from many ranges, which is too expensive for a test.
  const isTried = ordered.length > 0 || request.ordering.sort !== 'lastSeen';
  for (const candidate of isTried ? walkable(request, candidates) : []) {
    const walk = walkOf(request, candidate, probeEntries);
    const hits = await walkSource(on, walk);
    if (hits.length === request.limit) return { hits, searchedTo: null };
    if (hits.length > most) [richest, most] = [walk, hits.length];
  }
  if (richest === undefined || (probeEntries * request.limit) / most > walkEntries) return null;
  const hits = await walkSource(on, { ...richest, entries: walkEntries });
  return hits.length === request.limit ? { hits, searchedTo: null } : null;
}

/** Matches of walks within their budget, and the furthest position that one of them reached. */
async function walkCandidates(
  on: Executor,
  request: SearchRequest,
  candidates: readonly Candidate[],
): Promise<SearchResult> {
  const found: Walk[] = [];
  for (const candidate of walkable(request, candidates)) {
    const walk = walkOf(request, candidate, request.budget.walkEntries);
    const { hits, end } = await walkToEnd(on, walk);
    if (hits.length === request.limit || end === null) return { hits, searchedTo: null };
    found.push({ hits, stoppedAt: end });
  }
  return furthest(found, request.ordering);
}

const walkOf = (request: SearchRequest, candidate: Candidate, entries: number): WalkRequest => ({
  source: candidate.source,
  conditions: candidate.conditions,
  ordering: request.ordering,
  limit: request.limit,
  entries,
});

async function readInOrder(
  on: Executor,
  request: SearchRequest,
  candidate: Candidate,
): Promise<SearchResult> {
  const hits = await walkSource(on, walkOf(request, candidate, request.budget.walkEntries));
  return { hits, searchedTo: null };
}

/** Sources with an index in the order of the page; the index of all devices if there is none. */
function walkable(request: SearchRequest, candidates: readonly Candidate[]): Candidate[] {
  const ordered = candidates.filter((candidate) => isOrdered(candidate, request));
  return ordered.length > 0 ? ordered : [everything(request)];
}

function everything({ ordering: { sort }, conditions }: SearchRequest): Candidate {
  const source =
    sort === 'lastSeen' ? devicesBySeen() : makeSource([fromDevice(sql`true`, [sort])]);
  return { source, conditions, size: null };
}

function isOrdered({ source }: Candidate, request: SearchRequest): boolean {
  return source.branches.every((branch) => branch.ordered.includes(request.ordering.sort));
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
    tiedIds: request.budget.tiedIds,
  });
  return { hits, searchedTo: null };
}

function furthest(walks: readonly Walk[], ordering: Ordering): SearchResult {
  const best = walks.reduce((one, other) => (isBeyond(other, one, ordering) ? other : one));
  return { hits: best.hits, searchedTo: best.stoppedAt };
}

/** Compares like the database: by code point, and times by their text with infinities at the ends. */
function isBeyond(one: Walk, other: Walk, ordering: Ordering): boolean {
  const difference = compareKeys(one.stoppedAt.key, other.stoppedAt.key, ordering.sort);
  return ordering.descending ? difference < 0 : difference > 0;
}

function compareKeys(one: string, other: string, sort: Ordering['sort']): number {
  if (sort !== 'lastSeen') return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return seenRankMs(one) - seenRankMs(other) || 0;
}

function seenRankMs(text: string): number {
  if (text === 'infinity') return Number.MAX_SAFE_INTEGER;
  if (text === '-infinity') return Number.MIN_SAFE_INTEGER;
  return new Date(text).getTime();
}
