import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiTokenKind } from '@deviceportal/contract/api-tokens';

const prefixes = { personal: 'dpat_', service: 'dpst_' } as const satisfies Record<
  ApiTokenKind,
  string
>;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
/** Digits in base 62 that hold 256 bits, and the 32 bits of the checksum. */
const RANDOM_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

const TOKEN = new RegExp(
  `^(dpat_|dpst_)([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECKSUM_DIGITS}})$`,
);

/**
 * A new token: prefix, 256 random bits, and a checksum, by which scanners of source code recognize a token without
 * asking the portal. Shown once, and stored as a hash.
 */
export function newApiToken(kind: ApiTokenKind): string {
  const start = `${prefixes[kind]}${inBase62(bigOf(randomBytes(RANDOM_BYTES)), RANDOM_DIGITS)}`;
  return `${start}${checksumOf(start)}`;
}

/** The hash by which a token is stored; undefined for a text that cannot be one of this portal's tokens. */
export function hashOfApiToken(text: string): string | undefined {
  if (!TOKEN.test(text)) return undefined;
  const start = text.slice(0, -CHECKSUM_DIGITS);
  if (checksumOf(start) !== text.slice(-CHECKSUM_DIGITS)) return undefined;
  return createHash('sha256').update(text).digest('hex');
}

/** Whether a text begins like a token, valid or not. */
export const looksLikeApiToken = (text: string): boolean => /^(dpat_|dpst_)/.test(text);

const checksumOf = (start: string): string => inBase62(BigInt(crc32(start)), CHECKSUM_DIGITS);

const bigOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);

function inBase62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value, index = 0; index < digits; index += 1, rest /= 62n) {
    text = `${DIGITS[Number(rest % 62n)]}${text}`;
  }
  return text;
}
