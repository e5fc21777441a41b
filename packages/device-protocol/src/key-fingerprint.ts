import { createHash } from 'node:crypto';

/**
 * Fingerprint for comparing keys manually, in the format of `ssh-keygen -l`: SHA-256 over the
 * public key, in base64 without padding.
 *
 * @param spki SubjectPublicKeyInfo in DER (RFC 5280, section 4.1)
 */
export function keyFingerprint(spki: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(spki).digest('base64').replace(/=+$/, '')}`;
}
