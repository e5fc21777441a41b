const MOST_CHARACTERS = 128 * 1_024;
/** A person with hundreds of groups has fewer. */
const MOST_TAGS = 4_000;
const MOST_ATTRIBUTES = 4_000;

/**
 * Refuses an answer that takes long to read, before the library reads it: anybody may send one, and its time grows with
 * the square of what is in it.
 * @throws Error that says what is wrong
 */
export function guardSamlAnswer(xml: string): void {
  if (xml.length > MOST_CHARACTERS) throw new Error('The answer is too long.');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new Error('The answer has a document type.');
  const count = (pattern: RegExp): number => xml.match(pattern)?.length ?? 0;
  if (count(/</g) > MOST_TAGS || count(/=\s*["']/g) > MOST_ATTRIBUTES) {
    throw new Error('The answer has too many elements.');
  }
}
