import type { SearchKind } from '@deviceportal/contract/search';

/** What somebody typed or pasted into the search. */
export interface ParsedSearch {
  readonly text: string;
  /** From a prefix; `command` is looked for here, the rest by the server. */
  readonly only: SearchKind | 'command' | null;
  /** A pasted list, when it is one: separated by new lines, commas, semicolons or tabs. */
  readonly serialNumbers: readonly string[];
}

const prefixes: Readonly<Record<string, SearchKind | 'command'>> = {
  d: 'device',
  u: 'person',
  k: 'case',
  c: 'command',
  r: 'run',
  a: 'air-blast',
  doc: 'document',
  v: 'software',
};

/** Trimmed, full-width characters folded, prefix taken off. */
export function parseSearch(input: string): ParsedSearch {
  const folded = input.normalize('NFKC').trim();
  const match = /^(doc|[dukcrav]):\s*(.*)$/is.exec(folded);
  const text = (match?.[2] ?? folded).trim();
  const parts = text
    .split(/[\n\r,;\t]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const isList =
    parts.length > 1 &&
    parts.every((part) => /^[A-Z0-9][A-Z0-9_-]{3,63}$/i.test(part)) &&
    // A name with a comma in it is no list.
    parts.some((part) => /\d/.test(part));
  return {
    text,
    only: prefixes[match?.[1]?.toLowerCase() ?? ''] ?? null,
    serialNumbers: isList ? [...new Set(parts.map((part) => part.toUpperCase()))] : [],
  };
}
