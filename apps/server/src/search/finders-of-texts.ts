import type { SearchHit, SearchKind } from '@deviceportal/contract/search';
import type { Viewer } from '../platform/viewer.ts';

/** The search of one domain: its matches for a text, best first, within the viewer's permissions and scope. */
export type Finder = (
  viewer: Viewer,
  wanted: { readonly text: string; readonly limit: number },
) => Promise<readonly SearchHit[]>;

/** The same for a domain with few rows, of which one statement finds the matches of each of some texts. */
export type SmallFinder = (
  viewer: Viewer,
  wanted: { readonly texts: readonly string[]; readonly limit: number },
) => Promise<readonly (readonly SearchHit[])[]>;

/** One for each domain; results may contain hits of related kinds. */
export interface Finders {
  readonly finders: readonly { readonly kinds: readonly SearchKind[]; readonly find: Finder }[];
  readonly smallFinders: readonly {
    readonly kinds: readonly SearchKind[];
    readonly find: SmallFinder;
  }[];
}

/** Finds the matches of one of some texts in all domains. The small domains are asked once for all of the texts. */
export function finderOfTexts(
  { finders, smallFinders }: Finders,
  viewer: Viewer,
  {
    texts,
    wanted,
    limit,
  }: {
    readonly texts: readonly string[];
    readonly wanted: readonly SearchKind[];
    readonly limit: number;
  },
): (text: string) => Promise<SearchHit[]> {
  const isAsked = ({ kinds }: { readonly kinds: readonly SearchKind[] }): boolean =>
    kinds.some((kind) => wanted.includes(kind));
  let small: ReturnType<SmallFinder>[] | undefined;
  return async (text) => {
    small ??= smallFinders.filter(isAsked).map(({ find }) => find(viewer, { texts, limit }));
    const [found, foundOfTexts] = await Promise.all([
      Promise.all(finders.filter(isAsked).map(({ find }) => find(viewer, { text, limit }))),
      Promise.all(small),
    ]);
    const at = texts.indexOf(text);
    return [...found, ...foundOfTexts.map((ofTexts) => ofTexts[at] ?? [])]
      .flat()
      .filter(({ kind }) => wanted.includes(kind));
  };
}
