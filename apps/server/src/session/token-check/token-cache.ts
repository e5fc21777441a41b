import { hash } from 'node:crypto';

export interface TokenCache<Verdict> {
  find(key: string): Verdict | undefined;
  keep(key: string, verdict: Verdict): void;
}

/**
 * Caches results by `tokenKey`: a memory dump contains no session, and a token that differs in one bit is not found.
 * Beyond the limit, the least recently used one is removed.
 */
export function createTokenCache<Verdict>(limit: number): TokenCache<Verdict> {
  const verdicts = new Map<string, Verdict>();
  return {
    find(key) {
      const verdict = verdicts.get(key);
      if (verdict === undefined) return undefined;
      // A map keeps the order of insertion.
      verdicts.delete(key);
      verdicts.set(key, verdict);
      return verdict;
    },
    keep(key, verdict) {
      if (limit === 0) return;
      const oldest = verdicts.size >= limit ? verdicts.keys().next() : undefined;
      if (oldest?.done === false) verdicts.delete(oldest.value);
      verdicts.set(key, verdict);
    },
  };
}

/** The hash of the whole token with its signature. */
export const tokenKey = (token: string): string => hash('sha256', token, 'base64url');
