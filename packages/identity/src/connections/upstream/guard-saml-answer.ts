const MOST_CHARACTERS = 128 * 1_024;
/** A person with hundreds of groups has fewer. */
const MOST_TAGS = 4_000;
const MOST_ATTRIBUTES = 4_000;

/**
 * Rejects a response that would take long to parse, because responses are unauthenticated and
 * parsing time is quadratic.
 * @throws Error with the reason
 */
export function guardSamlAnswer(xml: string): void {
  if (xml.length > MOST_CHARACTERS) throw new Error('The response is too long.');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new Error('The response has a document type.');
  const count = (pattern: RegExp): number => xml.match(pattern)?.length ?? 0;
  if (count(/</g) > MOST_TAGS || count(/=\s*["']/g) > MOST_ATTRIBUTES) {
    throw new Error('The response has too many elements.');
  }
}
