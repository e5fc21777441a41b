import { IDEMPOTENCY_HEADER, type PublicOperation } from '@deviceportal/contract/public-operation';
import { refuse } from '@deviceportal/contract/refuse';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { looksLikeApiToken } from '../../api-tokens/token-format.ts';
import { issuesOf } from '../../platform/issues-of.ts';

export interface OperationInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly key: string | undefined;
}

const MOST_KEY_CHARACTERS = 200;

/** Addresses are logged by proxies and kept by browsers. @throws PortalError 2004 */
export function refuseTokenInAddress({ query }: Pick<FastifyRequest, 'query'>): void {
  const values = Object.values(query as Readonly<Record<string, unknown>>).flat();
  const isToken = (value: unknown): boolean =>
    typeof value === 'string' && looksLikeApiToken(value.replace(/^bearer\s+/i, ''));
  if (values.some(isToken)) throw refuse('api-token-in-address');
}

/** @throws PortalError 2004 with the fields */
export function parseRequest(
  operation: PublicOperation,
  { params, query, body, headers }: Pick<FastifyRequest, 'params' | 'query' | 'body' | 'headers'>,
): OperationInput {
  return {
    params: parse(operation.params, params),
    query: operation.query === undefined ? {} : parse(operation.query, query),
    body: parse(operation.body, body ?? {}),
    key: keyOf(operation, headers[IDEMPOTENCY_HEADER]),
  };
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return {};
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse('input-invalid', { issues: issuesOf(parsed.error), cause: parsed.error });
}

function keyOf(
  { idempotencyKey }: PublicOperation,
  header: string | readonly string[] | undefined,
): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  if (header === undefined || header === '') {
    if (idempotencyKey === 'required') throw refuse('idempotency-key-missing');
    return undefined;
  }
  if (
    typeof header === 'string' &&
    /^[\x21-\x7e]+$/.test(header) &&
    header.length <= MOST_KEY_CHARACTERS
  ) {
    return header;
  }
  throw refuse('idempotency-key-invalid', { facts: { most: MOST_KEY_CHARACTERS } });
}
