/** Converts full-width characters to ASCII and strips `SN` before a serial number. */
export function normalizeSearchText(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .replace(/^SN[\s:#-]+/i, '')
    .replaceAll(/\s+/g, ' ');
}

const wordShape = /[\p{L}\p{N}]+/gu;

/** The words as stored in the vocabulary: lower case, split at everything except letters and digits. */
export function vocabularyWordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(wordShape) ?? [])];
}

/** The text with some words replaced and everything else unchanged. */
export function withWords(text: string, replacements: ReadonlyMap<string, string>): string {
  return text.toLowerCase().replaceAll(wordShape, (word) => replacements.get(word) ?? word);
}

/** Serial numbers contain a digit; a text without one is a word. */
export function looksLikeSerialNumber(text: string): boolean {
  return /^(?=.*\d)[A-Z0-9][A-Z0-9_-]{4,31}$/i.test(text);
}
