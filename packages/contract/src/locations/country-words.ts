/**
 * A country's name from its two letters (ISO 3166-1 alpha-2); the letters where nobody knows a name.
 *
 * @param language a BCP 47 tag
 */
export function countryWords(code: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
