export type Language = 'zh-CN' | 'en-US';

/** A text in both languages. */
export interface Sentence {
  readonly zh: string;
  readonly en: string;
}

/** Returns the text in the client's language. */
export function say(lang: string, sentence: Sentence): string {
  return lang === 'zh-CN' ? sentence.zh : sentence.en;
}
