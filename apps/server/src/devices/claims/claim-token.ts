import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes, base64url. Shown once and stored as a hash. */
export function newClaimToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashClaimToken(token: string): Buffer {
  return createHash('sha256').update(token.trim()).digest();
}
