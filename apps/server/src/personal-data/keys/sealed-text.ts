import { gcmsiv } from '@noble/ciphers/aes.js';

/** A data key of one person. */
export interface PersonKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

const PREFIX = 'sealed:';
const shape = /^sealed:([0-9a-f-]{36}):([\w-]+)$/;
/** AES-GCM-SIV (RFC 8452) bears a nonce that repeats: the same text of a person is then sealed the same way. */
const NONCE = new Uint8Array(12);

/**
 * A text under a person's key. The same text gives the same result, so that it can be compared, grouped and found
 * without opening it, among the texts of that person only.
 */
export function sealText({ id, key }: PersonKey, text: string): string {
  const sealed = gcmsiv(key, NONCE, Buffer.from(id)).encrypt(Buffer.from(text));
  return `${PREFIX}${id}:${Buffer.from(sealed).toString('base64url')}`;
}

/** @throws Error when it is not sealed with this key */
export function openText({ id, key }: PersonKey, sealed: string): string {
  const bytes = Buffer.from(shape.exec(sealed)?.[2] ?? '', 'base64url');
  return Buffer.from(gcmsiv(key, NONCE, Buffer.from(id)).decrypt(bytes)).toString();
}

/** The id of the key that a text is sealed with; undefined for a text that is not sealed. */
export const keyIdOf = (text: string): string | undefined =>
  text.startsWith(PREFIX) ? shape.exec(text)?.[1] : undefined;

export const isSealed = (text: string): boolean => keyIdOf(text) !== undefined;
