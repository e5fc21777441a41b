import { z } from 'zod';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const BITS_OF_A_CHARACTER = 6;

/**
 * Canonical base64url without padding: the unused bits of the last character are zero (RFC 4648, section 3.5).
 * Without this check, that character could change while the decoded bytes stay the same.
 */
export const base64UrlSchema = z.base64url().refine((text) => {
  const spareBits = (text.length * BITS_OF_A_CHARACTER) % 8;
  return ALPHABET.indexOf(text.at(-1) ?? 'A') % 2 ** spareBits === 0;
}, 'is not the canonical encoding');
