import { z } from 'zod';

/** A phone number as stored. */
export interface PhoneNumber {
  readonly phone: string;
  /** Null if the number has a country code that was not split off. */
  readonly phoneCountryCode: string | null;
  readonly phoneE164: string;
}

const e164Schema = z.string().regex(/^\+[1-9]\d{5,14}$/);
const countryCodeSchema = z.string().regex(/^\+[1-9]\d{0,3}$/);

/**
 * Parses a phone number with its country code. A number with a leading `+` includes the country code; the given one
 * then only determines how the number is split.
 *
 * Not libphonenumber-js: it would change stored numbers (0151… with +49 is stored as +490151…), and its import adds
 * 49 ms to the start.
 * @throws z.ZodError if it is not a phone number
 */
export function readPhoneNumber(
  phone: string,
  countryCode: string | null | undefined,
  defaultCountryCode: string,
): PhoneNumber {
  const digits = phone.replaceAll(/[\s()-]/g, '');
  const given = countryCode ? withPlus(countryCode) : defaultCountryCode;
  const country = countryCodeSchema.parse(given);
  const national = digits.startsWith(country) ? digits.slice(country.length) : digits;
  if (!national.startsWith('+')) {
    const phoneE164 = e164Schema.parse(`${country}${national}`);
    return { phone: national, phoneCountryCode: country, phoneE164 };
  }
  return { phone: digits, phoneCountryCode: null, phoneE164: e164Schema.parse(digits) };
}

function withPlus(countryCode: string): string {
  const code = countryCode.trim();
  return code.startsWith('+') ? code : `+${code.replace(/^00/, '')}`;
}
