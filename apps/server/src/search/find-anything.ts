import {
  searchKinds,
  searchScores,
  type FindInput,
  type SearchAnswer,
  type SearchGroup,
  type SearchHit,
  type SearchKind,
} from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { correctTypos } from './correct-typos.ts';
import { looksLikeSerialNumber, normalizeSearchText } from './search-text.ts';
import { typingVariants } from './typing-errors.ts';

/** The search of one domain: its matches for a text, best first, within the viewer's permissions and scope. */
export type Finder = (
  viewer: Viewer,
  wanted: { readonly text: string; readonly limit: number },
) => Promise<readonly SearchHit[]>;

export interface SearchDeps {
  readonly database: Database;
  /** One for each domain; results may contain hits of related kinds. */
  readonly finders: readonly { readonly kinds: readonly SearchKind[]; readonly find: Finder }[];
  readonly findBySerialNumbers: (
    viewer: Viewer,
    wanted: { readonly serialNumbers: readonly string[]; readonly limit: number },
  ) => Promise<readonly SearchHit[]>;
}

const SHOWN = 6;
/** Descending; scores within one tier are treated as equal. */
const tiers = [90, 70, 50, 30, 0];
const nothing: SearchAnswer = { groups: [], mended: null, words: [] };

/**
 * Everything that a pasted or typed text may refer to, exact hits first. Without results, typos are corrected: first
 * as a serial number, then word by word.
 * @param signal aborts the search; the result is then empty
 */
export async function findAnything(
  deps: SearchDeps,
  viewer: Viewer,
  request: { readonly input: FindInput; readonly signal?: AbortSignal | undefined },
): Promise<SearchAnswer> {
  const text = normalizeSearchText(request.input.text);
  const wanted = request.input.kinds.length === 0 ? searchKinds : request.input.kinds;
  if (text === '') return nothing;
  const found = await findAsTyped(deps, viewer, { text, wanted });
  if (found.length > 0) return answerOf(found, { text, mended: null });
  if (request.signal?.aborted) return nothing;
  const serials = wanted.includes('device') ? await findCorrectedSerials(deps, viewer, text) : [];
  const [best] = serials;
  if (best !== undefined) {
    return answerOf(serials, { text: best.label, mended: serials.length > 1 ? null : best.label });
  }
  for (const corrected of await correctTypos(deps.database.orm, text)) {
    if (request.signal?.aborted) return nothing;
    const hits = await findAsTyped(deps, viewer, { text: corrected, wanted });
    if (hits.length > 0)
      return answerOf(hits.map(lessThanExact), { text: corrected, mended: corrected });
  }
  return { ...nothing, words: wordsOf(text) };
}

async function findAsTyped(
  { finders }: SearchDeps,
  viewer: Viewer,
  { text, wanted }: { readonly text: string; readonly wanted: readonly SearchKind[] },
): Promise<SearchHit[]> {
  const asked = finders.filter(({ kinds }) => kinds.some((kind) => wanted.includes(kind)));
  const found = await Promise.all(
    asked.map(({ find }) => find(viewer, { text, limit: SHOWN + 1 })),
  );
  return found.flat().filter(({ kind }) => wanted.includes(kind));
}

/** Serial numbers at edit distance 1, most likely typo first. */
async function findCorrectedSerials(
  { findBySerialNumbers }: SearchDeps,
  viewer: Viewer,
  text: string,
): Promise<readonly SearchHit[]> {
  if (!looksLikeSerialNumber(text)) return [];
  const variants = typingVariants(text.toLowerCase()).toSorted(
    (one, other) => other.likelihood - one.likelihood,
  );
  const serialNumbers = variants.map(({ word }) => word.toUpperCase());
  return findBySerialNumbers(viewer, { serialNumbers, limit: SHOWN + 1 });
}

/** The found text was not typed: Enter must not open it like an exact match. */
function lessThanExact(hit: SearchHit): SearchHit {
  return { ...hit, score: Math.min(hit.score, searchScores.exact - 1) };
}

/** Kinds are ordered by the tier of their best hit, not by the exact score. */
function tierOf(score: number): number {
  return tiers.length - tiers.findIndex((lowest) => score >= lowest);
}

function answerOf(
  hits: readonly SearchHit[],
  { text, mended }: { readonly text: string; readonly mended: string | null },
): SearchAnswer {
  const groups = searchKinds.flatMap((kind): SearchGroup[] => {
    const ofKind = hits.filter((hit) => hit.kind === kind);
    if (ofKind.length === 0) return [];
    return [{ kind, hits: bestFirst(ofKind, SHOWN), more: ofKind.length > SHOWN }];
  });
  const best = (group: SearchGroup): number => tierOf(group.hits[0]?.score ?? 0);
  return {
    groups: groups.toSorted((one, other) => best(other) - best(one)),
    mended,
    words: wordsOf(text),
  };
}
