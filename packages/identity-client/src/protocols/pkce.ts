import { sha256 } from '@noble/hashes/sha2.js';
import type { IdentityClient } from '../core/identity-client.ts';
import { randomText } from '../core/random-text.ts';
import { invalidArgument } from './token-endpoint.ts';

/** Minimum length by RFC 7636. */
export const CODE_VERIFIER_LENGTH = 43;

/**
 * A secret for one sign-in (RFC 7636). Its digest is sent with the authorization request, the
 * verifier itself with the code.
 */
export function createCodeVerifier(): string {
  return randomText(CODE_VERIFIER_LENGTH);
}

/**
 * The code challenge of a verifier for the authorization URL. Also works outside secure contexts.
 */
export function codeChallengeOf(
  client: IdentityClient,
  codeVerifier: string,
  method: 'S256' | 'plain' = 'S256',
): string {
  requireLongEnough(client, codeVerifier);
  if (method === 'plain') return codeVerifier;
  if (method !== 'S256') {
    throw invalidArgument(client, 'method 只能是 S256 或 plain', 'method must be S256 or plain');
  }
  const digest = sha256(new TextEncoder().encode(codeVerifier));
  const base64 = btoa(String.fromCharCode(...digest));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Rejects a challenge or verifier that is too short to be secure. */
export function requireLongEnough(client: IdentityClient, text: unknown): void {
  if (typeof text === 'string' && text.length >= CODE_VERIFIER_LENGTH) return;
  throw invalidArgument(
    client,
    `codeChallenge 必须是长度不少于 ${CODE_VERIFIER_LENGTH} 的字符串`,
    `codeChallenge must be a string of at least ${CODE_VERIFIER_LENGTH} characters`,
  );
}
