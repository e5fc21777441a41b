import { z } from 'zod';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const BITS_OF_A_CHARACTER = 6;

/**
 * base64url without padding, in the one spelling that each sequence of bytes has: bits of the last character beyond the
 * last byte are zero (RFC 4648, section 3.5). Otherwise a character could be changed unseen.
 */
export const base64UrlSchema = z.base64url().refine((text) => {
  const spareBits = (text.length * BITS_OF_A_CHARACTER) % 8;
  return ALPHABET.indexOf(text.at(-1) ?? 'A') % 2 ** spareBits === 0;
}, 'is not the canonical encoding');
