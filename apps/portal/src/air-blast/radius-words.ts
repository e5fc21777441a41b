import type { BlastRadius } from '@deviceportal/contract/air-blast';
import type { Translate } from '../i18n/use-t.ts';

/** The numbers of devices, people, and countries. Devices without a country are not a country. */
export const radiusWords = (t: Translate, { devices, people, countries }: BlastRadius): string =>
  t('airBlast.radiusWords', {
    devices,
    people,
    countries: countries.filter(({ country }) => country !== '').length,
  });
