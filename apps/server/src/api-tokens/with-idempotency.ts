import { createHash, createHmac } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { Database } from '../platform/database/database.ts';
import { keysOf, type KeySource } from '../platform/secrets/derived-keys.ts';
import {
  claimKey,
  markKeyDone,
  releaseKey,
  type KeyedRequest,
} from './data/idempotency-queries.ts';

export interface Repetition {
  readonly repeatKey: string | undefined;
  readonly isRepeated: boolean;
}

/**
 * Runs a request with its idempotency key: a repeated request is marked as such, another one with the same key is
 * rejected, and a failed one gives the key back.
 * @throws PortalError 2004 for the key of another request (422), or of a request in progress (409)
 */
export async function withIdempotency<Answer>(
  {
    database,
    requestKeys,
  }: { readonly database: Pick<Database, 'orm'>; readonly requestKeys: KeySource },
  {
    tokenId,
    key,
    content,
  }: { readonly tokenId: string; readonly key: string; readonly content: unknown },
  work: (repetition: Repetition) => Promise<Answer>,
): Promise<Answer> {
  const request: KeyedRequest = { tokenId, key, hmacs: hmacsOf(requestKeys, content) };
  const { state, requestHmac } = await claimKey(database.orm, request);
  if (state === 'other-request') throw refuse('idempotency-key-reused', { httpStatus: 422 });
  if (state === 'in-progress') throw refuse('idempotency-key-in-use', { httpStatus: 409 });
  const repeatKey = uuidOf(sha256(JSON.stringify([tokenId, key, requestHmac])));
  if (state === 'done') return work({ repeatKey, isRepeated: true });
  try {
    const answer = await work({ repeatKey, isRepeated: false });
    await markKeyDone(database.orm, request);
    return answer;
  } catch (error) {
    // After an unknown error, the request may have been carried out: its key stays until it is repeated.
    if (error instanceof PortalError && error.httpStatus < 500) {
      await releaseKey(database.orm, request);
    }
    throw error;
  }
}

function hmacsOf(source: KeySource, content: unknown): KeyedRequest['hmacs'] {
  const { current, known } = keysOf(source);
  const text = JSON.stringify(content);
  const hmac = (key: Uint8Array): string => createHmac('sha256', key).update(text).digest('hex');
  return [hmac(current), ...known.filter((key) => key !== current).map(hmac)];
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A UUID of version 8 (RFC 9562, section 5.8) from the first 128 bits of a digest. */
function uuidOf(digest: string): string {
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}
