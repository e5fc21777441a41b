export interface TextPart {
  readonly text: string;
  readonly match: boolean;
  readonly offset: number;
}

const MATCH_LIMIT = 1_000;

/** Splits the text at the matches of a search, ignoring case, with at most 1,000 matches. */
export function findMatches(
  text: string,
  search: string,
): { readonly parts: readonly TextPart[]; readonly count: number } {
  if (search === '') return { parts: [{ text, match: false, offset: 0 }], count: 0 };
  const haystack = text.toLowerCase();
  const needle = search.toLowerCase();
  const parts: TextPart[] = [];
  let from = 0;
  let count = 0;
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, from)) {
    if (count === MATCH_LIMIT) break;
    if (at > from) parts.push({ text: text.slice(from, at), match: false, offset: from });
    parts.push({ text: text.slice(at, at + needle.length), match: true, offset: at });
    from = at + needle.length;
    count += 1;
  }
  parts.push({ text: text.slice(from), match: false, offset: from });
  return { parts, count };
}
