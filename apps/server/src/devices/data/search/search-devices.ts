import type { Executor } from '../../../platform/database/database.ts';
import { fromDevice, source as makeSource, type Predicate } from './device-predicate.ts';
import { devicesBySeen } from './facet-predicates.ts';
import { collectSource } from './collect-source.ts';
import { cheapestCandidate, listCandidates, type Candidate } from './search-candidates.ts';
import type { Ordering, Position } from './search-order.ts';
import { walkSource, walkToEnd, type WalkRequest } from './walk-source.ts';
import { sql } from 'drizzle-orm';

/** How much a page may look at. Sized for a million devices: 25 ms for a first answer, 150 ms for going on. */
export interface SearchBudget {
  /** Index entries of a walk that only finds out whether the matches lie near. */
  readonly probeEntries: number;
  /** Index entries of one walk. */
  readonly walkEntries: number;
  /** Matches of one source that are collected and sorted. */
  readonly collectedRows: number;
  /** Ids of a collection that are looked up before the rest, under "last seen". */
  readonly tiedIds: number;
  /** Collects what it may before it walks: a walk was tried already. */
  readonly patient: boolean;
}

export interface SearchBudgets {
  readonly first: SearchBudget;
  /** For a page that goes on where the one before found less than it was asked for. */
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

interface Walk {
  readonly hits: readonly Position[];
  /** The last entry that was looked at. */
  readonly stoppedAt: Position;
}

/**
 * Finds a page of devices in a way that is chosen here and never left to the planner. What an index holds in the page's
 * order with nothing left to check is read off it. Else a short piece of each index in that order is walked, and a longer
 * one where the short one promises a full page; else the cheapest source is collected if it is not too long; else the
 * answer is what a walk finds, and up to where it looked.
 */
export async function searchDevices(on: Executor, request: SearchRequest): Promise<SearchResult> {
  const candidates = await listCandidates(on, request.conditions);
  const readable = candidates.find(
    (each) => each.conditions.length === 0 && isOrdered(each, request),
  );
  if (readable !== undefined && !readable.source.few) return readOff(on, request, readable);
  const few = candidates.find(({ source }) => source.few);
  if (few !== undefined) return collect(on, request, few);
  const near = request.budget.patient ? null : await probe(on, request, candidates);
  if (near !== null) return near;
  const affordable = await cheapestCandidate(on, candidates, {
    sort: request.ordering.sort,
    mostRows: request.budget.collectedRows,
  });
  if (affordable !== undefined) return collect(on, request, affordable);
  return walkOn(on, request, candidates);
}

/** A full page where one lies near the beginning of what has the page's order; else null. */
async function probe(
  on: Executor,
  request: SearchRequest,
  candidates: readonly Candidate[],
): Promise<SearchResult | null> {
  const { probeEntries, walkEntries } = request.budget;
  let richest: WalkRequest | undefined;
  let most = 0;
  const ordered = candidates.filter((each) => isOrdered(each, request));
  // Everything in the order of "last seen" is merged from many pieces: no small thing to try.
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

/** What walks find within their budget, and the furthest that one of them came. */
async function walkOn(
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

async function readOff(
  on: Executor,
  request: SearchRequest,
  candidate: Candidate,
): Promise<SearchResult> {
  const hits = await walkSource(on, walkOf(request, candidate, request.budget.walkEntries));
  return { hits, searchedTo: null };
}

/** Sources with an index in the page's order; the whole index where there is none. */
function walkable(request: SearchRequest, candidates: readonly Candidate[]): Candidate[] {
  const { sort } = request.ordering;
  const ordered = candidates.filter((candidate) => isOrdered(candidate, request));
  if (ordered.length > 0) return ordered;
  const everything =
    sort === 'lastSeen' ? devicesBySeen() : makeSource([fromDevice(sql`true`, [sort])]);
  return [{ source: everything, conditions: request.conditions, size: null }];
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

/** Compared as the database does: by code point, and moments by their text with infinity at the ends. */
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
