/** Full-width characters become ASCII, an `SN` in front of a serial number goes. */
export function normalizeSearchText(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .replace(/^SN[\s:#-]+/i, '')
    .replaceAll(/\s+/g, ' ');
}

const wordShape = /[\p{L}\p{N}]+/gu;

/** Words as the vocabulary keeps them: lower case, cut at everything that is no letter or digit. */
export function vocabularyWordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(wordShape) ?? [])];
}

/** The text with some of its words replaced, the rest of it as it was. */
export function withWords(text: string, replacements: ReadonlyMap<string, string>): string {
  return text.toLowerCase().replaceAll(wordShape, (word) => replacements.get(word) ?? word);
}

/** Serial numbers have a digit; what has none is a word. */
export function looksLikeSerialNumber(text: string): boolean {
  return /^(?=.*\d)[A-Z0-9][A-Z0-9_-]{4,31}$/i.test(text);
}
