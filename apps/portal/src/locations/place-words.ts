import type { DevicePlace } from '@deviceportal/contract/devices';
import type { Formatters } from '../i18n/format-values.ts';
import type { Translate } from '../i18n/use-t.ts';

/**
 * The attribution that the license of the database requires wherever locations from IP addresses
 * are shown.
 */
export const addressSource = {
  text: 'IP Geolocation by DB-IP',
  href: 'https://db-ip.com',
} as const;

/** "52.52, 13.41", or the country if only an IP address is known. */
export function positionWords(place: DevicePlace, t: Translate, format: Formatters): string {
  const { source, country } = place;
  return source === 'address' && country !== null
    ? t('locations.somewhereIn', { country: format.country(country) })
    : coordinates(place);
}

/** `52.52, 13.41`: four decimals (11 m) for a precise location, one for a rounded one. */
function coordinates({ latitude, longitude, precise }: DevicePlace): string {
  const digits = precise ? 4 : 1;
  return `${latitude.toFixed(digits)}, ${longitude.toFixed(digits)}`;
}

const CITY_METERS = 1_000;
const COUNTRY_METERS = 100_000;

/** The level that an accuracy corresponds to. */
function levelOf(meters: number): 'city' | 'country' | null {
  if (meters < CITY_METERS) return null;
  return meters < COUNTRY_METERS ? 'city' : 'country';
}

/** "within 25 m, from GPS", "city level: within 11 km, from IP address". */
export function accuracyWords(place: DevicePlace, t: Translate, format: Formatters): string {
  const { accuracyMeters: meters, source } = place;
  const distance =
    meters >= 1_000
      ? t('locations.kilometers', { count: format.number(Math.round(meters / 100) / 10) })
      : t('locations.meters', { count: format.number(Math.round(meters)) });
  const words = t('locations.accuracy', { distance, source: t(`locations.source.${source}`) });
  const level = source === 'address' ? 'country' : levelOf(meters);
  return level === null
    ? words
    : t('locations.level', { level: t(`locations.level.${level}`), words });
}
