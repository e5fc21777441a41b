/**
 * The name of a country or region for its ISO 3166-1 alpha-2 code from Unicode's locale data, or
 * the code if there is no name.
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
