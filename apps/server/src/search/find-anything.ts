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
import { mendText } from './mend-text.ts';
import { looksLikeSerialNumber, normalizeSearchText } from './search-text.ts';
import { typingVariants } from './typing-errors.ts';

/** A noun's own search: what of it a text may mean, the best first, within the viewer's rights and scope. */
export type Finder = (
  viewer: Viewer,
  wanted: { readonly text: string; readonly limit: number },
) => Promise<readonly SearchHit[]>;

export interface SearchDeps {
  readonly database: Database;
  /** One for each thing that can be found; answers may hold hits of kinds that belong to it. */
  readonly finders: readonly { readonly kinds: readonly SearchKind[]; readonly find: Finder }[];
  readonly findBySerialNumbers: (
    viewer: Viewer,
    wanted: { readonly serialNumbers: readonly string[]; readonly limit: number },
  ) => Promise<readonly SearchHit[]>;
}

const SHOWN = 6;
/** From the best on; what lies within one is equally good. */
const tiers = [90, 70, 50, 30, 0];
const nothing: SearchAnswer = { groups: [], mended: null, words: [] };

/**
 * Everything that a pasted or typed text may mean, exact hits first. Where nothing fits, typing errors are mended:
 * first in a serial number, then word by word.
 *
 * @param signal of a caller that may lose interest: then the answer is empty
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
  const serials = wanted.includes('device') ? await findMendedSerials(deps, viewer, text) : [];
  const [best] = serials;
  if (best !== undefined) {
    return answerOf(serials, { text: best.label, mended: serials.length > 1 ? null : best.label });
  }
  for (const mended of await mendText(deps.database.orm, text)) {
    if (request.signal?.aborted) return nothing;
    const hits = await findAsTyped(deps, viewer, { text: mended, wanted });
    if (hits.length > 0) return answerOf(hits.map(lessThanExact), { text: mended, mended });
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

/** Serial numbers one typing error away, likeliest error first. */
async function findMendedSerials(
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

/** Nobody typed what was found: Enter must not open it as if it were the very thing. */
function lessThanExact(hit: SearchHit): SearchHit {
  return { ...hit, score: Math.min(hit.score, searchScores.exact - 1) };
}

/** Kinds are told apart by how their best hit fits, not by the finer order within a kind. */
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
