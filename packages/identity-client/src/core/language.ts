export type Language = 'zh-CN' | 'en-US';

/** A sentence in both languages. */
export interface Sentence {
  readonly zh: string;
  readonly en: string;
}

/** The sentence in the language of the client. */
export function say(lang: string, sentence: Sentence): string {
  return lang === 'zh-CN' ? sentence.zh : sentence.en;
}
