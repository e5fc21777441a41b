import { randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const RANDOM_CHARACTERS = 16;

/** `ASIA` marks temporary keys and `AKIA` long-lived ones, as on AWS. */
export function newAccessKeyId(prefix: 'ASIA' | 'AKIA'): string {
  const random = Array.from(
    { length: RANDOM_CHARACTERS },
    () => ALPHABET[randomInt(ALPHABET.length)],
  );
  return `${prefix}${random.join('')}`;
}
