export const languages = ['en', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

/** What a language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  'zh-CN': '简体中文',
};

/** The language behind a browser's or a stored tag, or undefined. */
export function languageOf(tag: string | undefined | null): Language | undefined {
  if (!tag) return undefined;
  if (/^zh\b/i.test(tag)) return 'zh-CN';
  return /^en\b/i.test(tag) ? 'en' : undefined;
}
