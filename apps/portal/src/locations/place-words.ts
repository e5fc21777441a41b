import type { DevicePlace } from '@deviceportal/contract/devices';
import type { Formatters } from '../i18n/format-values.ts';
import type { Translate } from '../i18n/use-t.ts';

/** `52.52, 13.41`: four decimals (11 m) where the place is precise, one where it was rounded. */
export function coordinates({ latitude, longitude, precise }: DevicePlace): string {
  const digits = precise ? 4 : 1;
  return `${latitude.toFixed(digits)}, ${longitude.toFixed(digits)}`;
}

/** "within 25 m, from GPS". */
export function accuracyWords(place: DevicePlace, t: Translate, format: Formatters): string {
  const { accuracyMeters: meters, source } = place;
  const distance =
    meters >= 1_000
      ? t('locations.kilometers', { count: format.number(Math.round(meters / 100) / 10) })
      : t('locations.meters', { count: format.number(Math.round(meters)) });
  return t('locations.accuracy', { distance, source: t(`locations.source.${source}`) });
}
