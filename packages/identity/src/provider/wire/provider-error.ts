/** The languages of `x-authing-lang`. */
export type WireLanguage = 'zh-CN' | 'en-US';

/** A rejection by the provider: a number for programs, and a message in both languages. */
export interface Refusal {
  readonly code: number;
  readonly en: string;
  readonly zh: string;
}

/** A refusal as it travels: `{code, message, data}` (docs/design/sign-in.md, section 8). */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly refusal: Refusal;
  readonly data: unknown;

  constructor(refusal: Refusal, data?: unknown) {
    super(refusal.en);
    this.refusal = refusal;
    this.data = data;
  }
}

/** The message in this language. */
export function wordsOf(refusal: Refusal, language: WireLanguage): string {
  return language === 'zh-CN' ? refusal.zh : refusal.en;
}
