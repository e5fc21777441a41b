import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps a secret that must be readable again: AES-256-GCM, bound to the id it belongs to. */
export interface SecretBox {
  seal(secret: string, owner: string): Buffer;
  /** @throws when the box was changed, or belongs to another owner or key */
  open(box: Uint8Array, owner: string): string;
}

export function createSecretBox(key: Uint8Array): SecretBox {
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(box, owner) {
      const nonce = box.subarray(0, NONCE_BYTES);
      const tag = box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      const opened = decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    },
  };
}
