import { keysOf, withKnownKey, type KeySource } from '../../platform/secrets/derived-keys.ts';
import { openBytes, sealBytes } from '../../platform/secrets/sealed-bytes.ts';

/** Seals people's data keys with a key of the installation, each bound to its id. */
export interface KeySeal {
  seal(id: string, key: Uint8Array): string;
  /** @throws when it was changed, or belongs to another id or installation */
  open(id: string, sealed: string): Uint8Array;
  /** The same key sealed with the current one; null where it is already. */
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
