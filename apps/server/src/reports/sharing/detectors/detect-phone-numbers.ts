import {
  findPhoneNumbersInText,
  isSupportedCountry,
  type CountryCode,
} from 'libphonenumber-js/max';
import { spansOf, type Detector, type TextSpan } from './text-span.ts';

/** Countries whose local notation is recognized in addition to those of the report. */
const USUAL: readonly CountryCode[] = ['US', 'GB', 'DE', 'FR', 'CN'];
const MOST_COUNTRIES = 12;
const INTERNATIONAL = /(?<![\w.:+-])(?:\+|00)\s?[1-9][\d\u00A0 ()/.-]{6,20}\d/g;
/** A number labeled as a phone number, of any country. */
const NAMED =
  /(?:\b(?:tel(?:efon|ephone|éfono)?|phone|mobile|cell|handy|fax|call(?:ed)?(?: (?:him|her|them|me))?(?: (?:at|on|under))?|rufnummer|whatsapp|wechat|sms(?: to)?|dial|ring)|电话|手机号?码?|座机|传真|致电|拨打|联系方式|微信)(?:\s*(?:no\.?|nr\.?|number))?\s*[:：.]?\s*(?<hide>[+(]?\d[\d\u00A0 ()/.–-]{4,20}\d)/gi;
const CHINESE_MOBILE = /(?<!\d)1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\d)/g;
/** Digits with the separators of phone numbers; libphonenumber decides. */
const CANDIDATE =
  /(?<![\p{L}\d._])[+(]{0,2}\d[\d\u00A0 ()/.–+-]{4,}\d(?:\s?(?:x|ext\.?|转)\s?\d{1,6})?(?![\p{L}\d_]|[\u00A0 ()/.–+-]{1,3}\d)/gu;
/** Longer than any formatted phone number: a list of numbers, hidden as a whole. */
const LONGEST_CANDIDATE = 80;
/** Versions, addresses, dates, and lists of decimals are not phone numbers. */
const OTHER =
  /^(?:\d+\.\d+\.\d+(?:\.\d+)?(?:-\d+)?|\d{4}-\d{2}-\d{2}.*|\d{2}[./]\d{2}[./]\d{4}|\d{8}|\d{1,3}\.\d{1,2}(?: \d{1,3}\.\d{1,2})+)$/;

/** Phone numbers in international and local notation (ITU-T E.123, libphonenumber's rules for each country). */
export function phoneNumberDetector(countries: readonly string[]): Detector {
  const wanted = [...new Set([...countries.filter((code) => isSupportedCountry(code)), ...USUAL])];
  const tried = wanted.slice(0, MOST_COUNTRIES) as CountryCode[];
  return (text) => [
    ...[INTERNATIONAL, NAMED, CHINESE_MOBILE].flatMap((one) => spansOf(one, text)),
    ...spansOf(CANDIDATE, text).flatMap((span) => numbersIn(text, span, tried)),
  ];
}

function numbersIn(text: string, span: TextSpan, countries: readonly CountryCode[]): TextSpan[] {
  const candidate = text.slice(span.from, span.to);
  if (OTHER.test(candidate)) return [];
  if (candidate.length > LONGEST_CANDIDATE) return [span];
  for (const defaultCountry of countries) {
    const found = findPhoneNumbersInText(candidate, { defaultCountry, extended: true })
      .map(({ startsAt, endsAt }) => ({ from: span.from + startsAt, to: span.from + endsAt }))
      .filter(({ from, to }) => !OTHER.test(text.slice(from, to)));
    // A number that is valid in one country is hidden as a whole.
    if (found.length > 0) return [span];
  }
  return [];
}
