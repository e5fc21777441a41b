import { randomInt } from 'node:crypto';

export const CODE_DIGITS = 6;

/** Generates the digits of a code. */
export function newDigits(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}
