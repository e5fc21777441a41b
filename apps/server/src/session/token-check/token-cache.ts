import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export interface TokenCache<Verdict> {
  find(key: string): Verdict | undefined;
  keep(key: string, verdict: Verdict): void;
}

/**
 * Caches results by `tokenKey`: a memory dump contains no session, and a token that differs in one bit is not found.
 * Beyond the limit, the least recently used one is removed. Not by the order of a `Map`: finding its oldest entry
 * passes all entries that were deleted before, which cost a third of the signature check.
 */
export function createTokenCache<Verdict extends object>(limit: number): TokenCache<Verdict> {
  if (limit === 0) return { find: () => undefined, keep: () => {} };
  const verdicts = new LRUCache<string, Verdict>({ max: limit });
  return {
    find: (key) => verdicts.get(key),
    keep: (key, verdict) => void verdicts.set(key, verdict),
  };
}

/** The hash of the whole token with its signature. */
export const tokenKey = (token: string): string => hash('sha256', token, 'base64url');
