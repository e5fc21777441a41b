import { createHash } from 'node:crypto';
import { createSecretBox } from './secret-box.ts';

/** A secret as it lies in the database. */
export interface SealedSecret {
  readonly box: Buffer;
  /** Names the key that opens it. */
  readonly keyId: string;
}

/** Seals the service's own keys with a key that is not in the database. */
export interface KeySeal {
  seal(secret: string, owner: string): SealedSecret;
  /** @throws SealMismatchError when it was sealed with another key */
  open(sealed: SealedSecret, owner: string): string;
}

/** The database belongs to another sealing key: nothing in it can be used, and nothing was changed. */
export class SealMismatchError extends Error {
  override readonly name = 'SealMismatchError';

  constructor(keyId: string, ownKeyId: string) {
    super(`Keys are sealed with key ${keyId}, but this installation has key ${ownKeyId}.`);
  }
}

/** @param key 32 bytes */
export function createKeySeal(key: Uint8Array): KeySeal {
  const secretBox = createSecretBox(key);
  const ownKeyId = createHash('sha256').update('key id').update(key).digest('hex').slice(0, 16);
  return {
    seal: (secret, owner) => ({ box: secretBox.seal(secret, owner), keyId: ownKeyId }),
    open({ box, keyId }, owner) {
      if (keyId !== ownKeyId) throw new SealMismatchError(keyId, ownKeyId);
      return secretBox.open(box, owner);
    },
  };
}
