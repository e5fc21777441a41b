/**
 * Characters that a name never needs and that change how it is read: controls that reorder text (Unicode Standard
 * Annex #9, section 2; CVE-2021-42574), control characters and line separators, characters without width, and tags.
 * The joiners U+200C and U+200D stay: Persian, Hindi and emoji are written with them.
 */
const DECEPTIVE =
  /[\p{Bidi_Control}\p{Cc}\p{Cs}\u2028\u2029\u200B\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/u;

export function isPlainName(name: string): boolean {
  return !DECEPTIVE.test(name);
}

/** A name that comes from another system, such as a directory or a device, without the characters that mislead. */
export function toPlainName(name: string): string {
  return isPlainName(name) ? name : name.replace(new RegExp(DECEPTIVE, 'gu'), '').trim();
}
