import type { Translate } from '../../i18n/use-t.ts';

const sentences: readonly (readonly [RegExp, (found: RegExpExecArray, t: Translate) => string])[] =
  [
    [
      /^Invalid option: expected one of (.*)$/s,
      (found, t) =>
        t('documents.problem.oneOf', {
          values: (found[1] ?? '').replaceAll('"', '').split('|').join(t('documents.problem.or')),
        }),
    ],
    [/^".*" is not known here$/s, (_found, t) => t('documents.problem.unknown')],
    [
      /^Invalid input: expected "(.*)"$/s,
      (found, t) => t('documents.problem.exactly', { value: found[1] ?? '' }),
    ],
    [
      /^Invalid input: expected \S+, received undefined$/,
      (_found, t) => t('documents.problem.missing'),
    ],
  ];

/** The checker's most frequent sentences in the person's language; the rest stands as it came. */
export function problemWords(message: string, t: Translate): string {
  for (const [sentence, words] of sentences) {
    const found = sentence.exec(message);
    if (found !== null) return words(found, t);
  }
  return message;
}
