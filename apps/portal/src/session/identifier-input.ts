import { callingCodes } from './calling-codes.ts';

/** How people are named (docs/design/sign-in.md, section 3: login identifier kinds). */
export type IdentifierKind = 'username' | 'email' | 'phone';

/** Trimmed, full-width characters folded. */
function foldIdentifier(text: string): string {
  return text.normalize('NFKC').trim();
}

/** Digits that are a phone number without its country: the page then asks for the country. */
export function needsCountry(text: string): boolean {
  const folded = foldIdentifier(text);
  return /^[\d\s().-]{5,}$/.test(folded) && folded.replaceAll(/\D/g, '').length >= 5;
}

/** What goes to the user pool: a phone number with its country's code, anything else as it is. */
export function toIdentifier(text: string, country: string): string {
  const folded = foldIdentifier(text);
  const code = callingCodes[country];
  if (!needsCountry(folded) || code === undefined) return folded;
  // A trunk zero is dialled inside a country only; Italy's belongs to the number.
  const digits = folded.replaceAll(/\D/g, '');
  return `+${code}${country === 'IT' ? digits : digits.replace(/^0+/, '')}`;
}

/** The digits of a code, from whatever was typed or pasted: `Your code is 123-456`. */
export function codeDigits(text: string, length: number): string {
  return text.normalize('NFKC').replaceAll(/\D/g, '').slice(0, length);
}

/** What a complete identifier is: `+` and digits a phone number, something with `@` an e-mail address, else a name. */
export function identifierKindOf(identifier: string): IdentifierKind {
  const folded = foldIdentifier(identifier);
  if (/^\+[\d\s().-]{5,}$/.test(folded)) return 'phone';
  return /^[^@\s]+@[^@\s]+$/.test(folded) ? 'email' : 'username';
}

const codesByLength = [...new Set(Object.values(callingCodes))].toSorted(
  (left, right) => right.length - left.length,
);

/** A phone number with its calling code apart; both are one where the code is none of those known here. */
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

/** `a•••@corp.example`, `+86•••••••••78`: enough to recognize one's own. */
export function maskIdentifier(identifier: string): string {
  const at = identifier.lastIndexOf('@');
  if (at > 0) return `${identifier.slice(0, 1)}•••${identifier.slice(at)}`;
  const hidden = '•'.repeat(Math.max(3, identifier.length - 5));
  return `${identifier.slice(0, 3)}${hidden}${identifier.slice(-2)}`;
}
