import { sha256 } from '@noble/hashes/sha2.js';
import type { ProofTools } from '@deviceportal/audit-proof/proof-tools';

export interface WebProofTools extends ProofTools {
  /** False after a signature that this browser cannot verify. */
  readonly signaturesChecked: () => boolean;
}

/**
 * Hashes in JavaScript, because WebCrypto needs a promise for each of many small hashes. Signatures
 * use WebCrypto. Without Ed25519 support or a secure context, signatures are skipped and reported
 * as not checked.
 */
export function createWebProofTools(): WebProofTools {
  let checked = true;
  const keys = new Map<string, Promise<CryptoKey>>();
  const keyOf = (raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> => {
    const name = raw.join(' ');
    const known = keys.get(name);
    if (known !== undefined) return known;
    const key = crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
    keys.set(name, key);
    return key;
  };
  return {
    sha256,
    createSha256: () => sha256.create(),
    verify: async (publicKey, signature, message) => {
      const key = await keyOfOrNone(() => keyOf(publicKey));
      if (key === null) {
        checked = false;
        return true;
      }
      return crypto.subtle.verify('Ed25519', key, signature, Uint8Array.from(message));
    },
    signaturesChecked: () => checked,
  };
}

async function keyOfOrNone(find: () => Promise<CryptoKey>): Promise<CryptoKey | null> {
  try {
    return await find();
  } catch {
    return null;
  }
}
