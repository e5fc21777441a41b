import { createHmac } from 'node:crypto';
import { keysOf, withKnownKey, type KeySource } from '../platform/secrets/derived-keys.ts';
import { openBytes, sealBytes } from '../platform/secrets/sealed-bytes.ts';
import type { RenderedMessage } from './render-message.ts';

/** Content that must not be readable in the database. */
export type SealedContent = RenderedMessage & { readonly to: string };

/** Encrypts queued messages: AES-256-GCM, each bound to its id. */
export interface MessageSeal {
  seal(id: string, content: SealedContent): string;
  /** @throws if it was modified, or belongs to another message or key */
  open(id: string, sealed: string): SealedContent;
  /** The same content sealed with the current key; null if it already is. */
  reseal(id: string, sealed: string): string | null;
  /** Deterministic for an address and the current key; cannot be guessed without the key. */
  hashRecipient(to: string): string;
}

/** @param source keys of 32 bytes each, kept by the installation outside the database */
export function createMessageSeal(source: KeySource): MessageSeal {
  const keys = keysOf(source);
  const seal: MessageSeal = {
    seal(id, content) {
      return sealBytes(keys.current, id, Buffer.from(JSON.stringify(content)));
    },
    open: (id, sealed) => withKnownKey(keys, (key) => openWith(key, id, sealed)),
    reseal(id, sealed) {
      try {
        openWith(keys.current, id, sealed);
        return null;
      } catch {
        return seal.seal(id, seal.open(id, sealed));
      }
    },
    hashRecipient: (to) =>
      createHmac('sha256', keys.current).update(to.toLowerCase()).digest('base64url'),
  };
  return seal;
}

const openWith = (key: Uint8Array, id: string, sealed: string): SealedContent =>
  JSON.parse(openBytes(key, id, sealed).toString()) as SealedContent;
