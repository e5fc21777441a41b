import { gcmsiv } from '@noble/ciphers/aes.js';

/** The data key of a person. */
export interface PersonKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

const PREFIX = 'sealed:';
const shape = /^sealed:([0-9a-f-]{36}):([\w-]+)$/;
/** AES-GCM-SIV (RFC 8452) is safe with a constant nonce, which makes the encryption deterministic. */
const NONCE = new Uint8Array(12);

/**
 * Encrypts a text with a person's key. The result is deterministic, so that texts of the same person can be compared,
 * grouped, and found without decryption.
 */
export function sealText({ id, key }: PersonKey, text: string): string {
  const sealed = gcmsiv(key, NONCE, Buffer.from(id)).encrypt(Buffer.from(text));
  return `${PREFIX}${id}:${Buffer.from(sealed).toString('base64url')}`;
}

/** @throws Error if the text is not sealed with this key */
export function openText({ id, key }: PersonKey, sealed: string): string {
  const bytes = Buffer.from(shape.exec(sealed)?.[2] ?? '', 'base64url');
  return Buffer.from(gcmsiv(key, NONCE, Buffer.from(id)).decrypt(bytes)).toString();
}

/** ID of the key with which a text is sealed; undefined for a text that is not sealed. */
export const keyIdOf = (text: string): string | undefined =>
  text.startsWith(PREFIX) ? shape.exec(text)?.[1] : undefined;

export const isSealed = (text: string): boolean => keyIdOf(text) !== undefined;
