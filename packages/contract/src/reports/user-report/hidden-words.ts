import type { ReportLanguage } from '../report-options.ts';

/** The only wording for data that the sender of a shared report has hidden. */
export const hiddenWords: Readonly<Record<ReportLanguage, string>> = {
  en: 'Hidden by the sender',
  'zh-CN': '发送者已隐藏',
};

/** The same within a text. */
export const hiddenInText = (language: ReportLanguage): string => `[${hiddenWords[language]}]`;

const anyHidden = new RegExp(
  `(${Object.values(hiddenWords)
    .map((words) => String.raw`\[${words}\]|${words}`)
    .join('|')})`,
);

export interface TextPart {
  readonly text: string;
  readonly isHidden: boolean;
}

/** Splits a text of a report, so that hidden parts look the same everywhere. */
export function splitHidden(text: string): TextPart[] {
  return text
    .split(anyHidden)
    .map((part, index) => ({ text: part, isHidden: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
