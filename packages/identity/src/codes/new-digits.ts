import { randomInt } from 'node:crypto';

export const CODE_DIGITS = 6;

/** What a person is sent and enters. */
export function newDigits(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}
