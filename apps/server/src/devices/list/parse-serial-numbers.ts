/**
 * Serial numbers as people paste them: separated by anything but their own characters, full-width digits and letters
 * folded, any case, `S/N:` or `SN ` in front, doubles removed. In the order of their first appearance.
 */
export function parseSerialNumbers(text: string): string[] {
  const folded = text.normalize('NFKC').toUpperCase();
  // A prefix that stands apart from its number; one that is glued to it may be part of it and is left alone.
  const bare = folded.replaceAll(
    /\b(?:S\/N|SN|SERIAL(?: NUMBER| NO\.?)?)(?:\s*[:#=]\s*| +)(?=[A-Z0-9])/g,
    ' ',
  );
  const pieces = bare.split(/[^A-Z0-9_-]+/).filter((piece) => piece !== '' && piece.length <= 64);
  return [...new Set(pieces)];
}
