/** Names that consoles in mainland China must use and that the Unicode locale data does not have. */
const requiredInChinese: Readonly<Record<string, string>> = { TW: '中国台湾' };

/**
 * The name of a country or region from its ISO 3166-1 alpha-2 code, or the code if it has no name.
 *
 * @param language a BCP 47 tag
 */
export function countryWords(code: string, language: string): string {
  const required = language === 'zh-CN' ? requiredInChinese[code] : undefined;
  if (required !== undefined) return required;
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
