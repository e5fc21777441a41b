import type { Formatters } from '../../i18n/format-values.ts';
import type { Translate } from '../../i18n/use-t.ts';

/** A list of some items by name and the number of the others. */
export function sampleWords(
  names: readonly string[],
  count: number,
  { t, format }: { readonly t: Translate; readonly format: Pick<Formatters, 'list'> },
): string {
  const more = count - names.length;
  return format.list(more > 0 ? [...names, t('commands.target.more', { more })] : names);
}
