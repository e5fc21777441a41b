import type { DocumentParameter } from '@deviceportal/contract/ssm-document';
import type { Translate } from '../../i18n/use-t.ts';

/** The constraint of a parameter, shown below its field. Empty without constraints. */
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
