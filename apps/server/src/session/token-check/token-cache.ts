import { hash } from 'node:crypto';

export interface TokenCache<Verdict> {
  find(token: string): Verdict | undefined;
  keep(token: string, verdict: Verdict): void;
}

/**
 * Caches results by the hash of the whole token with its signature: a memory dump contains no session, and a token
 * that differs in one bit is not found. Beyond the limit, the least recently used one is removed.
 */
export function createTokenCache<Verdict>(limit: number): TokenCache<Verdict> {
  const verdicts = new Map<string, Verdict>();
  return {
    find(token) {
      const key = keyOf(token);
      const verdict = verdicts.get(key);
      if (verdict === undefined) return undefined;
      // A map keeps the order of insertion.
      verdicts.delete(key);
      verdicts.set(key, verdict);
      return verdict;
    },
    keep(token, verdict) {
      if (limit === 0) return;
      const oldest = verdicts.size >= limit ? verdicts.keys().next() : undefined;
      if (oldest?.done === false) verdicts.delete(oldest.value);
      verdicts.set(keyOf(token), verdict);
    },
  };
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
