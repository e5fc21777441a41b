import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { portalClock } from '../../platform/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { idempotencyKey } from './api-tokens-tables.ts';

export interface KeyedRequest {
  readonly tokenId: string;
  readonly key: string;
  /** The HMAC with the current key, and with each other known one: keys can be rotated between a request and its retry. */
  readonly hmacs: readonly [current: string, ...others: string[]];
}

export interface KeyClaim {
  readonly state: 'new' | 'done' | 'in-progress' | 'other-request';
  /** The stored HMAC, which stays the same for all retries. */
  readonly requestHmac: string;
}

/** After this time, the server of a request without an answer is assumed to have stopped. */
const ABANDONED = sql`interval '1 minute'`;

type Keyed = Pick<KeyedRequest, 'tokenId' | 'key'>;

const isKey = ({ tokenId, key }: Keyed) =>
  and(eq(idempotencyKey.tokenId, tokenId), eq(idempotencyKey.key, key));

/** Claims a key for a request; exactly one of several concurrent requests gets `new`. */
export async function claimKey(
  on: Executor,
  { tokenId, key, hmacs }: KeyedRequest,
): Promise<KeyClaim> {
  const [requestHmac] = hmacs;
  const [claimed] = await on
    .insert(idempotencyKey)
    .values({ tokenId, key, requestHmac, at: portalClock })
    .onConflictDoUpdate({
      target: [idempotencyKey.tokenId, idempotencyKey.key],
      set: { at: portalClock },
      setWhere: sql`${inArray(idempotencyKey.requestHmac, hmacs)}
        and ${eq(idempotencyKey.isDone, false)}
        and ${lt(idempotencyKey.at, sql`${portalClock} - ${ABANDONED}`)}`,
    })
    .returning({ requestHmac: idempotencyKey.requestHmac });
  if (claimed !== undefined) return { state: 'new', requestHmac: claimed.requestHmac };
  const [found] = await on
    .select({ requestHmac: idempotencyKey.requestHmac, isDone: idempotencyKey.isDone })
    .from(idempotencyKey)
    .where(isKey({ tokenId, key }));
  if (found === undefined || !hmacs.includes(found.requestHmac)) {
    return { state: 'other-request', requestHmac };
  }
  return { state: found.isDone ? 'done' : 'in-progress', requestHmac: found.requestHmac };
}

export async function markKeyDone(on: Executor, request: Keyed): Promise<void> {
  await on.update(idempotencyKey).set({ isDone: true }).where(isKey(request));
}

/** After a request that changed nothing, so that it can be corrected and repeated. */
export async function releaseKey(on: Executor, request: Keyed): Promise<void> {
  await on.delete(idempotencyKey).where(and(isKey(request), eq(idempotencyKey.isDone, false)));
}
