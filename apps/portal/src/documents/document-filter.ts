import type { FilterQuery } from '../ui/filter-codec.ts';

export interface DocumentFilter {
  readonly text: string;
  readonly states: string[];
  readonly consequences: string[];
}

/** The filter of the address as API input. Invalid tokens are ignored. */
export function documentFilterOf(query: FilterQuery): DocumentFilter {
  const valuesOf = (key: string): string[] =>
    query.tokens
      .filter((token) => token.key === key && token.operator === '=')
      .flatMap((token) => token.values);
  const text = query.tokens
    .filter((token) => token.key === undefined && token.operator === ':')
    .flatMap((token) => token.values)
    .join(' ');
  return {
    text: text.slice(0, 200),
    states: valuesOf('state'),
    consequences: valuesOf('consequence'),
  };
}
