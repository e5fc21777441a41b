import type { SearchKind } from '@deviceportal/contract/search';
import { listedSerialNumbers } from '../../devices/list/parse-serial-numbers.ts';

/** What somebody typed or pasted into the search. */
export interface ParsedSearch {
  readonly text: string;
  /** From a prefix; `command` is looked for here, the rest by the server. */
  readonly only: SearchKind | 'command' | null;
  /** A pasted list, when it is one. */
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
  return {
    text,
    only: prefixes[match?.[1]?.toLowerCase() ?? ''] ?? null,
    serialNumbers: listedSerialNumbers(text),
  };
}
