import { TARGET_LIST_LIMIT } from '@deviceportal/contract/constants';

export interface ParsedSerialNumbers {
  /** Each serial number once, in capitals, in the order in which they were given. */
  readonly serialNumbers: readonly string[];
  readonly duplicates: number;
  /** Pieces that cannot be serial numbers, each once. */
  readonly malformed: readonly string[];
  readonly overLimit: boolean;
}

/** As `serialNumberSchema` of the contract says, whose schema library the page does not need for it. */
const SERIAL_NUMBER = /^[A-Z0-9][A-Z0-9_-]{3,63}$/;
const SEPARATORS = /[\s,;，；、]+/u;

/** What a pasted or uploaded list holds: new lines, commas, semicolons and spaces separate, full-width ones too. */
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

/** Digits with what people put between them, as many as a phone number has. */
const PHONE_NUMBER = /^(?:[ +()-]*\d){4,15}$/;

/** The serial numbers of a text that is nothing but several of them; none where it may be a name or a phone number. */
export function listedSerialNumbers(text: string): readonly string[] {
  const { serialNumbers, malformed } = parseSerialNumbers(text);
  const isList =
    serialNumbers.length > 1 &&
    malformed.length === 0 &&
    serialNumbers.every((serialNumber) => /\d/.test(serialNumber)) &&
    !PHONE_NUMBER.test(foldFullWidth(text.trim()));
  return isList ? serialNumbers : [];
}

/** Chinese input methods write digits and Latin letters in full width (U+FF01 to U+FF5E). */
function foldFullWidth(text: string): string {
  return text.replaceAll(/[\uFF01-\uFF5E]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) - 0xfe_e0),
  );
}
