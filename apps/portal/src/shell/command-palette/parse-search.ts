/** What somebody typed or pasted into the search. */
export interface ParsedSearch {
  readonly text: string;
  /** From a prefix `d:` `u:` `c:` `doc:` `v:`. */
  readonly only: 'device' | 'person' | 'command' | 'document' | 'version' | null;
  /** A pasted list, when it is one: separated by new lines, commas, semicolons or tabs. */
  readonly serialNumbers: readonly string[];
}

const prefixes = {
  d: 'device',
  u: 'person',
  c: 'command',
  doc: 'document',
  v: 'version',
} as const;

/** Trimmed, full-width characters folded, prefix taken off. */
export function parseSearch(input: string): ParsedSearch {
  const folded = input.normalize('NFKC').trim();
  const match = /^(doc|d|u|c|v):\s*(.*)$/is.exec(folded);
  const prefix = match?.[1]?.toLowerCase() as keyof typeof prefixes | undefined;
  const text = (match?.[2] ?? folded).trim();
  const parts = text
    .split(/[\n\r,;\t]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const isList =
    parts.length > 1 && parts.every((part) => /^[A-Z0-9][A-Z0-9_-]{3,63}$/i.test(part));
  return {
    text,
    only: prefix === undefined ? null : prefixes[prefix],
    serialNumbers: isList ? [...new Set(parts.map((part) => part.toUpperCase()))] : [],
  };
}
