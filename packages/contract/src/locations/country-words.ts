/**
 * The name of a country or region from its ISO 3166-1 alpha-2 code as Unicode's locale data has it, or the code if it has
 * no name.
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
