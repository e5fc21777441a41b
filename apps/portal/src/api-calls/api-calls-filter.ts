import { errorCatalog } from '@deviceportal/contract/errors';
import { decodeFilter, type FilterQuery, type FilterQueryToken } from '../ui/filter-codec.ts';

const apiCallKeys = ['path', 'user', 'result', 'slower', 'request'] as const;
export type ApiCallKey = (typeof apiCallKeys)[number];

export interface DecodedCallsFilter {
  readonly query: FilterQuery;
  readonly filter: {
    readonly path: string | null;
    readonly userId: string | null;
    readonly onlyErrors: boolean;
    readonly errorCode: number | null;
    readonly minDurationMs: number | null;
    readonly requestId: string | null;
  };
  readonly dropped: readonly FilterQueryToken[];
}

/**
 * Decodes the `q` parameter: one value per property. Text without a property is a procedure name or
 * a request ID.
 */
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
      errorCode: numberOf(one('result')),
      minDurationMs: numberOf(one('slower')),
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

function isKnown({ key, operator, values: [value = '', ...more] }: FilterQueryToken): boolean {
  if (operator !== '=' || more.length > 0 || value.length > 128) return false;
  if (key === 'result') return value === 'errors' || isErrorCode(Number(value));
  if (key === 'slower') return /^\d{1,6}$/.test(value);
  return value !== '' && apiCallKeys.some((known) => known === key);
}

const isErrorCode = (code: number): boolean =>
  Object.values(errorCatalog).some((error) => error.code === code);

const numberOf = (text: string | null): number | null =>
  text !== null && /^-?\d+$/.test(text) ? Number(text) : null;
