import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts, each bound to its owner, so that it cannot be moved to another: AES-256-GCM. */
export interface TextVault {
  sealText(owner: string, text: string): string;
  /** @throws when the box was changed or belongs to another owner or key */
  openText(owner: string, box: string): string;
  /** The same for the same text, and tells nothing of it: HMAC-SHA-256, hexadecimal. */
  fingerprint(text: string): string;
}

/** @param key 32 bytes, kept by the installation outside the database */
export function createTextVault(key: Uint8Array): TextVault {
  if (key.byteLength !== 32)
    throw new RangeError('the key of the parameter vault must have 32 bytes');
  return {
    sealText(owner, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    openText(owner, box) {
      const bytes = Buffer.from(box, 'base64');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(tag).setAAD(Buffer.from(owner));
      const sealed = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
    },
    fingerprint: (text) => createHmac('sha256', key).update(text).digest('hex'),
  };
}
