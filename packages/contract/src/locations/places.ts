import { z } from 'zod';

/** Regions that ICU names although ISO 3166-1 assigns them no code. Kosovo (XK) stays: there is no other code for it. */
const NO_COUNTRIES = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

let names: Intl.DisplayNames | undefined;

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NO_COUNTRIES.has(code)) return false;
  // Codes that are not used any more stand for others: UK is GB.
  if (Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) return false;
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return names.of(code) !== undefined;
}

/** A country by its code (ISO 3166-1 alpha-2), in capitals. */
export const countrySchema = z
  .string()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/)
  .refine(isCountry, 'Enter a country code of ISO 3166-1, such as DE.')
  .meta({ format: 'country' });

function isTimeZone(name: string): boolean {
  // An offset such as +01:00 is no name of a zone.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A time zone by its name in the IANA database. */
export const timeZoneSchema = z
  .string()
  .trim()
  .max(64)
  .refine(isTimeZone, 'Enter a time zone of the IANA database, such as Europe/Berlin.')
  .meta({ format: 'time-zone' });
