import type { WireLanguage } from '../provider/wire/provider-error.ts';
import en from './page-words.en.json' with { type: 'json' };
import zh from './page-words.zh-CN.json' with { type: 'json' };

export type PageWords = typeof en;

const catalogs: Readonly<Record<WireLanguage, PageWords>> = { 'en-US': en, 'zh-CN': zh };

/** Texts of the hosted pages in this language. */
export function pageWords(language: WireLanguage): PageWords {
  return catalogs[language];
}
