import { TARGET_LIST_LIMIT } from '@deviceportal/contract/constants';

export interface ParsedSerialNumbers {
  /** Unique serial numbers in upper case, in their original order. */
  readonly serialNumbers: readonly string[];
  readonly duplicates: number;
  /** Unique entries that cannot be serial numbers. */
  readonly malformed: readonly string[];
  readonly overLimit: boolean;
}

/** The rule of `serialNumberSchema` in the contract, without loading the schema library. */
const SERIAL_NUMBER = /^[A-Z0-9][A-Z0-9_-]{3,63}$/;
const SEPARATORS = /[\s,;，；、]+/u;

/**
 * Parses a pasted or uploaded list, separated by line breaks, commas, semicolons, or spaces, also
 * full-width ones.
 */
export function parseSerialNumbers(text: string): ParsedSerialNumbers {
  const pieces = foldFullWidth(text)
    .split(SEPARATORS)
    .map((piece) => piece.replaceAll(/^["']+|["']+$/g, ''))
    .filter((piece) => piece !== '');
  const serialNumbers = new Set<string>();
  const malformed = new Set<string>();
  let duplicates = 0;
  for (const piece of pieces) {
    const serialNumber = piece.toUpperCase();
    if (!SERIAL_NUMBER.test(serialNumber)) malformed.add(piece);
    else if (serialNumbers.has(serialNumber)) duplicates += 1;
    else serialNumbers.add(serialNumber);
  }
  return {
    serialNumbers: [...serialNumbers],
    duplicates,
    malformed: [...malformed],
    overLimit: serialNumbers.size > TARGET_LIST_LIMIT,
  };
}

/** Digits with common separators, as many as in a phone number. */
const PHONE_NUMBER = /^(?:[ +()-]*\d){4,15}$/;

/**
 * The serial numbers of a text that contains several and nothing else. Empty if it can be a name or
 * a phone number.
 */
export function listedSerialNumbers(text: string): readonly string[] {
  const { serialNumbers, malformed } = parseSerialNumbers(text);
  const isList =
    serialNumbers.length > 1 &&
    malformed.length === 0 &&
    serialNumbers.every((serialNumber) => /\d/.test(serialNumber)) &&
    !PHONE_NUMBER.test(foldFullWidth(text.trim()));
  return isList ? serialNumbers : [];
}

/** Converts the full-width digits and letters of Chinese input methods (U+FF01 to U+FF5E). */
function foldFullWidth(text: string): string {
  return text.replaceAll(/[\uFF01-\uFF5E]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) - 0xfe_e0),
  );
}
