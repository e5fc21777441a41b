import {
  isSignature,
  signedBytes,
  statementTypes,
  type StatementKey,
  type TrustedKey,
} from './signed-statement.ts';

/**
 * A detached signature of a released file: one line, `ed25519:<key id>:<base64url>`, in a file with
 * the same name and the suffix `.sig`.
 */
export const SIGNATURE_SUFFIX = '.sig';

export async function signRelease(file: Uint8Array, key: StatementKey): Promise<string> {
  const signature = await key.sign(signedBytes(statementTypes.release, file));
  return `ed25519:${key.keyId}:${Buffer.from(signature).toString('base64url')}\n`;
}

/** Whether a trusted key signed exactly these bytes. */
export function isSignedRelease(
  file: Uint8Array,
  signature: string,
  trusted: readonly TrustedKey[],
): boolean {
  const [, keyId, text] = /^ed25519:([\w-]{43}):([\w-]{86})\s*$/.exec(signature) ?? [];
  const key = trusted.find((one) => one.keyId === keyId);
  if (key === undefined || text === undefined) return false;
  const message = signedBytes(statementTypes.release, file);
  return isSignature(key.publicKey, message, Buffer.from(text, 'base64url'));
}
