import { z } from 'zod';

/**
 * Regions that ICU names but ISO 3166-1 does not assign. Kosovo (XK) is kept, because it has no
 * other code.
 */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

let names: Intl.DisplayNames | undefined;

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NO_COUNTRIES.has(code)) return false;
  // Replaced codes are aliases: UK is GB.
  if (Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) return false;
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return names.of(code) !== undefined;
}

/** Country code (ISO 3166-1 alpha-2), in uppercase. */
export const countrySchema = z
  .string()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/)
  .refine(isCountry, 'Enter a country code of ISO 3166-1, such as DE.')
  .meta({ format: 'country' });

function isTimeZone(name: string): boolean {
  // Offsets such as +01:00 are not time zone names.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Time zone name of the IANA database. */
export const timeZoneSchema = z
  .string()
  .trim()
  .max(64)
  .refine(isTimeZone, 'Enter a time zone of the IANA database, such as Europe/Berlin.')
  .meta({ format: 'time-zone' });
