const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ŋ: 'n' },
};
const GERMAN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

/** A name without case and diacritics: "Kovač" and "KOVAC" become the same, "Müller" becomes "muller". */
function foldName(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđðþłħıŋ]/g, (letter) => LETTERS[letter] ?? letter);
}

/** All normalized spellings of a name: "Müller" is "muller" and "mueller". */
export function foldedForms(text: string): string[] {
  const plain = foldName(text);
  const spelled = foldName(
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll(/[äöüåø]/g, (letter) => GERMAN[letter] ?? letter),
  );
  return plain === spelled ? [plain] : [plain, spelled];
}
