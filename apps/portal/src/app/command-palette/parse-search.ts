import type { SearchKind } from '@deviceportal/contract/search';
import { listedSerialNumbers } from '../../devices/list/parse-serial-numbers.ts';

/** The parsed search input. */
export interface ParsedSearch {
  readonly text: string;
  /** From a prefix. `command` is searched in the browser, other kinds by the server. */
  readonly only: SearchKind | 'command' | null;
  /** Set if a list was pasted. */
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

/** Trims, normalizes full-width characters, and removes the prefix. */
export function parseSearch(input: string): ParsedSearch {
  const folded = input.normalize('NFKC').trim();
  const match = /^(doc|[dukcrav]):\s*(.*)$/is.exec(folded);
  const text = (match?.[2] ?? folded).trim();
  return {
    text,
    only: prefixes[match?.[1]?.toLowerCase() ?? ''] ?? null,
    serialNumbers: listedSerialNumbers(text),
  };
}
