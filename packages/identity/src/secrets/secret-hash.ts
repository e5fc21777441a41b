import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Purpose of a secret; hashes of different purposes never match. */
export type SecretPurpose =
  | 'auth-session'
  | 'login-code'
  | 'login-code-subject'
  | 'step-up-challenge'
  | 'step-up-code'
  | 'step-up-subject'
  | 'place'
  | 'refresh-token'
  | 'session-token'
  | 'nobody'
  | 'passkey-challenge'
  | 'passkey-recovery-code'
  | 'rate-limit'
  | 'provider-code'
  | 'provider-ticket'
  | 'provider-principal'
  | 'provider-qr'
  | 'provider-recovery-code'
  | 'provider-upload'
  | 'provider-upload-address'
  | 'provider-oidc'
  | 'provider-access-key'
  | 'provider-browser'
  | 'provider-form';

/** HMAC-SHA-256 under the service's pepper: a copied table alone gives nothing to try guesses on. */
export type SecretHash = (purpose: SecretPurpose, ...parts: readonly string[]) => Buffer;

export function createSecretHash(pepper: Uint8Array): SecretHash {
  return (purpose, ...parts) =>
    createHmac('sha256', pepper)
      .update(JSON.stringify([purpose, ...parts]))
      .digest();
}

/** A random text for bearer secrets: base64url, `bytes` of entropy. */
export function randomSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** Compares without telling by its duration where two values differ. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
