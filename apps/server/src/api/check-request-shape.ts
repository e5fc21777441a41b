import type { FastifyRequest } from 'fastify';
import { refuse } from '@deviceportal/contract/refuse';
import { isNestedDeeperThan } from '../platform/text/is-nested-deeper-than.ts';

/** `batch`, `input`, `authorization`, and fields added by a proxy. */
const MAX_QUERY_FIELDS = 20;
/** Inputs of the product are at most ten levels deep; a batch adds two. */
export const MAX_NESTING = 64;

/**
 * Rejects requests that no client of the API sends, before anything is parsed.
 * @throws PortalError 2004
 */
export function checkRequestShape({
  raw,
  body,
  params,
}: Pick<FastifyRequest<{ Params: { path: string } }>, 'raw' | 'body' | 'params'>): void {
  // tRPC decodes the names a second time, so encoded commas could hide their number.
  if (params.path.includes('%')) {
    throw refuse('procedures-not-named');
  }
  const url = raw.url ?? '';
  const queryStart = url.indexOf('?');
  const query = queryStart === -1 ? '' : url.slice(queryStart + 1);
  if (hasMoreThan(query, '&', MAX_QUERY_FIELDS)) {
    throw refuse('too-many-query-parameters');
  }
  // Decoded as by tRPC, so that both see the same text.
  const inQuery = new URLSearchParams(query).get('input') ?? '';
  const inBody = typeof body === 'string' ? body : '';
  if (isNestedDeeperThan(inQuery, MAX_NESTING) || isNestedDeeperThan(inBody, MAX_NESTING)) {
    throw refuse('input-too-deep');
  }
}

function hasMoreThan(text: string, mark: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}
