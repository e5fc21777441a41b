import type { AirBlastFacts } from '@deviceportal/contract/air-blast';
import type { Formatters } from '../i18n/format-values.ts';
import type { Translate } from '../i18n/use-t.ts';

const parts = ['asIntended', 'different', 'notVerified', 'failed', 'notChanged'] as const;

/** The device counts in one line, without zeros, and without results before anything is sent. */
export function reportWords(
  { waves, report }: Pick<AirBlastFacts, 'waves' | 'report'>,
  { t, format }: { readonly t: Translate; readonly format: Formatters },
): string {
  if (waves.every(({ openedAt }) => openedAt === null)) return t('airBlast.noWaves');
  return format.list(
    parts
      .filter((part) => report[part] > 0)
      .map((part) => t(`airBlast.reportParts.${part}`, { count: report[part] })),
  );
}
