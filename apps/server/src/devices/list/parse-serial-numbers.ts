/**
 * Parses pasted serial numbers: separated by any other characters, with full-width characters normalized, in any case,
 * with an optional prefix `S/N:` or `SN `. Without duplicates, in the order of their first occurrence.
 */
export function parseSerialNumbers(text: string): string[] {
  const folded = text.normalize('NFKC').toUpperCase();
  // Removes prefixes that are separated from the number. Without a separator, the prefix can be part of the number.
  const bare = folded.replaceAll(
    /\b(?:S\/N|SN|SERIAL(?: NUMBER| NO\.?)?)(?:\s*[:#=]\s*| +)(?=[A-Z0-9])/g,
    ' ',
  );
  const pieces = bare.split(/[^A-Z0-9_-]+/).filter((piece) => piece !== '' && piece.length <= 64);
  return [...new Set(pieces)];
}
