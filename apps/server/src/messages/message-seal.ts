import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { keysOf, withKnownKey, type KeySource } from '../platform/secrets/derived-keys.ts';
import type { RenderedMessage } from './render-message.ts';

/** What nobody who reads the database may see. */
export type SealedContent = RenderedMessage & { readonly to: string };

/** Keeps waiting messages: AES-256-GCM, each bound to its id. */
export interface MessageSeal {
  seal(id: string, content: SealedContent): string;
  /** @throws when it was changed, or belongs to another message or key */
  open(id: string, sealed: string): SealedContent;
  /** The same content sealed with the current key; null where it is already. */
  reseal(id: string, sealed: string): string | null;
  /** The same text for the same address and current key, which cannot be guessed without the key. */
  hashRecipient(to: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param source of 32 bytes each, kept by the installation outside the database */
export function createMessageSeal(source: KeySource): MessageSeal {
  const keys = keysOf(source);
  const seal: MessageSeal = {
    seal(id, content) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys.current, nonce).setAAD(Buffer.from(id));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
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

function openWith(key: Uint8Array, id: string, sealed: string): SealedContent {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(id));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return JSON.parse(Buffer.concat([text, decipher.final()]).toString()) as SealedContent;
}
