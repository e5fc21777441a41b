import { isValidIBAN } from 'ibantools';
import { spansOf, type TextSpan } from './text-span.ts';

/** Digits in groups, as printed on cards and for IMEIs. */
const GROUPED = /(?<![\d.])\d(?:[ \u00A0-]?\d){12,18}(?![\d]|\.\d)/g;
const IMEI_PRINTED = /(?<!\d)\d{2}-\d{6}-\d{6}-\d(?!\d)/g;
const NAMED_IMEI =
  /\b(?:imei|imeisv|meid|esn|iccid|imsi|eid)(?:\s*(?:no\.?|nr\.?|number))?\s*[:=#：]?\s*(?<hide>[\dA-F](?:[ -]?[\dA-F]){13,31})(?![\dA-F])/gi;
const IBAN = /(?<![A-Za-z\d])[A-Za-z]{2}\d{2}(?:[ \u00A0-]?[A-Za-z\d]){11,30}(?![A-Za-z\d])/g;
/** GB 11643: resident identity number of China, 17 digits and a check character. */
const CHINESE_ID =
  /(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\dXx])/g;
const SOCIAL_SECURITY = /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g;
const NAMED_NUMBER =
  /(?:\b(?:passport|reisepass|ausweis|personalausweis|driver'?s? licen[cs]e|ssn|tax id|steuer-?id|account(?: number| no\.?)|kontonummer|card(?: number| no\.?)|kreditkarte|cvv|cvc)|身份证号?码?|护照号?码?|银行卡号?|信用卡号?|卡号|账号|社保号)\s*[:=#：]?\s*(?<hide>[A-Z\d](?:[ -]?[A-Z\d]){2,29})(?![A-Za-z\d])/gi;
const SHORTEST_IBAN = 15;

/** Payment cards, bank accounts, identity documents, and the numbers that identify a phone or its SIM card. */
export function detectNumbers(text: string): TextSpan[] {
  return [
    ...spansOf(GROUPED, text).filter((span) => isLuhn(text.slice(span.from, span.to))),
    ...spansOf(IBAN, text).flatMap((span) => ibanIn(text, span)),
    ...[IMEI_PRINTED, NAMED_IMEI, CHINESE_ID, SOCIAL_SECURITY, NAMED_NUMBER].flatMap((pattern) =>
      spansOf(pattern, text),
    ),
  ];
}

/** Check digit of card numbers and IMEIs (ISO/IEC 7812-1, annex B). */
function isLuhn(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const weighed = at % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0 && !/^(\d)\1*$/.test(digits);
}

/** The words after an account number may look like its next group: the longest valid prefix is used. */
function ibanIn(text: string, { from, to }: TextSpan): TextSpan[] {
  for (let end = to; end - from >= SHORTEST_IBAN; end -= 1) {
    const found = text
      .slice(from, end)
      .replaceAll(/[^A-Za-z\d]/g, '')
      .toUpperCase();
    if (isValidIBAN(found)) return [{ from, to: end }];
  }
  return [];
}
