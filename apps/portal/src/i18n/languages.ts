export const languages = ['en', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

/** The name of each language in that language. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  'zh-CN': '简体中文',
};

/** The language of a browser’s or stored tag. Undefined if it is not supported. */
export function languageOf(tag: string | undefined | null): Language | undefined {
  if (!tag) return undefined;
  if (/^zh\b/i.test(tag)) return 'zh-CN';
  return /^en\b/i.test(tag) ? 'en' : undefined;
}
