import { createHash } from 'node:crypto';

/** Hexadecimal SHA-256 of a text in UTF-8. */
export function textSha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
