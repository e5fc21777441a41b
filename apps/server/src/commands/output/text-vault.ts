import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { keysOf, withKnownKey, type KeySource } from '../../platform/secrets/derived-keys.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts with AES-256-GCM. Each is bound to its owner, so it cannot be moved to another. */
export interface TextVault {
  sealText(owner: string, text: string): string;
  /** @throws if the ciphertext was changed or belongs to another owner or key */
  openText(owner: string, box: string): string;
  /**
   * The text encrypted with the current key; null if it already is.
   * @throws as `openText`
   */
  resealText(owner: string, box: string): string | null;
  /** HMAC-SHA-256 in hexadecimal: equal for the same text and current key, without revealing the text. */
  fingerprint(text: string): string;
}

/** @param source keys of 32 bytes each, stored outside the database */
export function createTextVault(source: KeySource): TextVault {
  const keys = keysOf(source);
  if (keys.current.byteLength !== 32)
    throw new RangeError('the key of the parameter vault must have 32 bytes');
  const vault: TextVault = {
    sealText: (owner, text) => sealWith(keys.current, owner, text),
    openText: (owner, box) => withKnownKey(keys, (key) => openWith(key, owner, box)),
    resealText(owner, box) {
      try {
        openWith(keys.current, owner, box);
        return null;
      } catch {
        return vault.sealText(owner, vault.openText(owner, box));
      }
    },
    fingerprint: (text) => createHmac('sha256', keys.current).update(text).digest('hex'),
  };
  return vault;
}

function sealWith(key: Uint8Array, owner: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

function openWith(key: Uint8Array, owner: string, box: string): string {
  const bytes = Buffer.from(box, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag).setAAD(Buffer.from(owner));
  const sealed = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
}
