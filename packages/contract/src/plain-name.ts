/**
 * Characters that are never needed in a name and change how it is read: bidirectional controls
 * (Unicode Standard Annex #9, section 2; CVE-2021-42574), control characters, line separators,
 * zero-width characters, and tags. The joiners U+200C and U+200D are allowed, because Persian,
 * Hindi, and emoji use them.
 */
const DECEPTIVE =
  /[\p{Bidi_Control}\p{Cc}\p{Cs}\u2028\u2029\u200B\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/u;

export function isPlainName(name: string): boolean {
  return !DECEPTIVE.test(name);
}

/** Removes misleading characters from a name of another system, such as a directory or a device. */
export function toPlainName(name: string): string {
  return isPlainName(name) ? name : name.replace(new RegExp(DECEPTIVE, 'gu'), '').trim();
}
