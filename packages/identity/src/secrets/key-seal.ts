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

/** The sealing keys as they are now; they change when the installation rotates its key. */
export interface SealingKeys {
  /** Seals. 32 bytes. */
  readonly current: Uint8Array;
  /** Open: the current one and others. */
  readonly known: readonly Uint8Array[];
}

/** The database belongs to another sealing key: nothing in it can be used, and nothing was changed. */
export class SealMismatchError extends Error {
  override readonly name = 'SealMismatchError';

  constructor(keyId: string, ownKeyId: string) {
    super(`Keys are sealed with key ${keyId}, but this installation has key ${ownKeyId}.`);
  }
}

/** @param source sealing keys that rotate, or one that does not */
export function createKeySeal(source: SealingKeys | Uint8Array): KeySeal {
  const keys = source instanceof Uint8Array ? { current: source, known: [source] } : source;
  return {
    seal: (secret, owner) => ({
      box: createSecretBox(keys.current).seal(secret, owner),
      keyId: keyIdOf(keys.current),
    }),
    open({ box, keyId }, owner) {
      const key = keys.known.find((each) => keyIdOf(each) === keyId);
      if (key === undefined) throw new SealMismatchError(keyId, keyIdOf(keys.current));
      return createSecretBox(key).open(box, owner);
    },
  };
}

/** Names a sealing key in the database. */
export function keyIdOf(key: Uint8Array): string {
  return createHash('sha256').update('key id').update(key).digest('hex').slice(0, 16);
}
