import { callingCodes } from './calling-codes.ts';

/** Kinds of login identifiers (docs/design/sign-in.md, section 3). */
export type IdentifierKind = 'username' | 'email' | 'phone';

/** Trims and normalizes full-width characters. */
function foldIdentifier(text: string): string {
  return text.normalize('NFKC').trim();
}

/** Whether the text is a phone number without a country, so that the page must ask for it. */
export function needsCountry(text: string): boolean {
  const folded = foldIdentifier(text);
  return /^[\d\s().-]{5,}$/.test(folded) && folded.replaceAll(/\D/g, '').length >= 5;
}

/**
 * The identifier for the user pool: a phone number with its calling code, anything else unchanged.
 */
export function toIdentifier(text: string, country: string): string {
  const folded = foldIdentifier(text);
  const code = callingCodes[country];
  if (!needsCountry(folded) || code === undefined) return folded;
  // A trunk zero is used only for domestic calls, except in Italy, where it is part of the number.
  const digits = folded.replaceAll(/\D/g, '');
  return `+${code}${country === 'IT' ? digits : digits.replace(/^0+/, '')}`;
}

/** The digits of a code in typed or pasted text: `Your code is 123-456`. */
export function codeDigits(text: string, length: number): string {
  return text.normalize('NFKC').replaceAll(/\D/g, '').slice(0, length);
}

/**
 * The kind of a complete identifier: a phone number with `+` and digits, an email address with `@`,
 * otherwise a username.
 */
export function identifierKindOf(identifier: string): IdentifierKind {
  const folded = foldIdentifier(identifier);
  if (/^\+[\d\s().-]{5,}$/.test(folded)) return 'phone';
  return /^[^@\s]+@[^@\s]+$/.test(folded) ? 'email' : 'username';
}

const codesByLength = [...new Set(Object.values(callingCodes))].toSorted(
  (left, right) => right.length - left.length,
);

/** Splits a phone number into calling code and number. Not split if the calling code is unknown. */
export function splitPhone(phone: string): {
  readonly number: string;
  readonly countryCode: string | undefined;
} {
  const folded = foldIdentifier(phone);
  const digits = folded.replaceAll(/\D/g, '');
  const code = folded.startsWith('+')
    ? codesByLength.find((each) => digits.startsWith(each))
    : undefined;
  return code === undefined
    ? { number: folded, countryCode: undefined }
    : { number: digits.slice(code.length), countryCode: `+${code}` };
}

/** `a•••@corp.example`, `+86•••••••••78`: enough for the user to recognize the address. */
export function maskIdentifier(identifier: string): string {
  const at = identifier.lastIndexOf('@');
  if (at > 0) return `${identifier.slice(0, 1)}•••${identifier.slice(at)}`;
  const hidden = '•'.repeat(Math.max(3, identifier.length - 5));
  return `${identifier.slice(0, 3)}${hidden}${identifier.slice(-2)}`;
}
