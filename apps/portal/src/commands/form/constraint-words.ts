import type { DocumentParameter } from '@deviceportal/contract/ssm-document';
import type { Translate } from '../../i18n/use-t.ts';

/** What a value must be like, for the line under its field; empty where anything goes. */
export function constraintWords(parameter: DocumentParameter, t: Translate): string {
  const { minChars, maxChars, minItems, maxItems, allowedPattern, allowedValues } = parameter;
  return [
    range(minChars, maxChars, (values) => t('commands.constraint.characters', values)),
    range(minItems, maxItems, (values) => t('commands.constraint.items', values)),
    allowedPattern === undefined || allowedValues !== undefined
      ? ''
      : t('commands.constraint.pattern', { pattern: allowedPattern }),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function range(
  min: number | undefined,
  max: number | undefined,
  words: (values: {
    readonly bounds: string;
    readonly min: number;
    readonly max: number;
  }) => string,
): string {
  if (min === undefined && max === undefined) return '';
  const bounds = min === undefined ? 'max' : max === undefined ? 'min' : 'both';
  return words({ bounds, min: min ?? 0, max: max ?? 0 });
}

const patterns: readonly (readonly [RegExp, (match: RegExpExecArray, t: Translate) => string])[] = [
  [/^is neither registered nor on any device$/, (_match, t) => t('commands.issue.knownNowhere')],
  [/^is required$/, (_match, t) => t('commands.issue.required')],
  [/^is not a valid (\w+)$/, (match, t) => t('commands.issue.type', { type: match[1] ?? '' })],
  [/^must be one of (.*)$/s, (match, t) => t('commands.issue.oneOf', { values: match[1] ?? '' })],
  [/^must match (.*)$/s, (match, t) => t('commands.issue.pattern', { pattern: match[1] ?? '' })],
  [
    /^must have at (least|most) (\d+) (characters|items)$/,
    (match, t) =>
      t('commands.issue.size', {
        bound: match[1] ?? '',
        size: Number(match[2]),
        unit: match[3] ?? '',
      }),
  ],
];

/** The shared rule speaks English; its few sentences in the person's language. */
export function issueWords(message: string, t: Translate): string {
  for (const [pattern, words] of patterns) {
    const match = pattern.exec(message);
    if (match !== null) return words(match, t);
  }
  return message;
}
