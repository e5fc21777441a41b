import { decodeFilter, type FilterQuery, type FilterQueryToken } from '../shell/filter-codec.ts';

export const apiCallKeys = ['path', 'user', 'result', 'request'] as const;
export type ApiCallKey = (typeof apiCallKeys)[number];

export interface DecodedCallsFilter {
  readonly query: FilterQuery;
  readonly filter: {
    readonly path: string | null;
    readonly userId: string | null;
    readonly onlyErrors: boolean;
    readonly requestId: string | null;
  };
  readonly dropped: readonly FilterQueryToken[];
}

/** One value for each thing; words without a property are a procedure's name or a request's id. */
export function decodeCallsFilter(q: string): DecodedCallsFilter {
  const tokens = decodeFilter(q).tokens.map(named);
  const kept = tokens.filter(
    (token, index) =>
      isKnown(token) &&
      !tokens.slice(index + 1).some((later) => later.key === token.key && isKnown(later)),
  );
  const one = (key: ApiCallKey): string | null =>
    kept.find((token) => token.key === key)?.values[0] ?? null;
  return {
    query: { tokens: kept, operation: 'and' },
    filter: {
      path: one('path'),
      userId: one('user'),
      onlyErrors: one('result') === 'errors',
      requestId: one('request'),
    },
    dropped: tokens.filter((token) => !kept.includes(token)),
  };
}

const PROCEDURE = /^[a-z][A-Za-z]*(\.[A-Za-z]+)+$/;

function named(token: FilterQueryToken): FilterQueryToken {
  if (token.key !== undefined || token.operator !== ':') return token;
  const text = token.values.join(' ').trim();
  return { key: PROCEDURE.test(text) ? 'path' : 'request', operator: '=', values: [text] };
}

function isKnown({ key, operator, values }: FilterQueryToken): boolean {
  if (operator !== '=' || values.length !== 1 || (values[0]?.length ?? 0) > 128) return false;
  return key === 'result' ? values[0] === 'errors' : apiCallKeys.some((known) => known === key);
}
