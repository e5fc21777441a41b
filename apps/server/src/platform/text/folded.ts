const writtenOut: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
};
const withoutMark: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

const asciiShape = /^\p{ASCII}*$/u;

/** In lower case and without accents, like `search_fold` in the database. */
export function folded(text: string): string {
  if (asciiShape.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replaceAll(/[øłđðıßæœþ]/g, (letter) => withoutMark[letter] ?? letter);
}

/** As typed on a keyboard without umlauts: `koeln` for `Köln`. */
export function foldedWrittenOut(text: string): string {
  const lower = text.normalize('NFC').toLowerCase();
  return folded(lower.replaceAll(/[äöüåø]/g, (letter) => writtenOut[letter] ?? letter));
}
