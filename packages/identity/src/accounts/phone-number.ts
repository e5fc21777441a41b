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
 * Ours: accounts are found by the digits that they were registered with. libphonenumber-js reads 0151 23456789 with +49 as
 * +4915123456789, where such an account is stored as +49015123456789, and its import adds 49 ms to a start.
 *
 * Reads a number with the country it comes with. One that begins with `+` names its country itself; the given country
 * then only says how it is split.
 * @throws z.ZodError when it is no number
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
