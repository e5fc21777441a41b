import { keysOf, withKnownKey, type KeySource } from '../../platform/secrets/derived-keys.ts';
import { openBytes, sealBytes } from '../../platform/secrets/sealed-bytes.ts';

/** Encrypts the data keys of people with a key of the installation. Each is bound to its ID. */
export interface KeySeal {
  seal(id: string, key: Uint8Array): string;
  /** @throws Error if it was changed, or belongs to another ID or installation */
  open(id: string, sealed: string): Uint8Array;
  /** Encrypts the key with the current key of the installation; null if it already is. */
  reseal(id: string, sealed: string): string | null;
}

export function createKeySeal(source: KeySource): KeySeal {
  const keys = keysOf(source);
  const seal = (id: string, key: Uint8Array): string => sealBytes(keys.current, id, key);
  const open = (id: string, sealed: string): Uint8Array =>
    withKnownKey(keys, (key) => new Uint8Array(openBytes(key, id, sealed)));
  return {
    ...{ seal, open },
    reseal(id, sealed) {
      try {
        openBytes(keys.current, id, sealed);
        return null;
      } catch {
        return seal(id, open(id, sealed));
      }
    },
  };
}
