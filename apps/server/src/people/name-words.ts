const MAX_WORDS = 8;
const MAX_LENGTH = 64;
/** Forms of address, which are not part of a stored name. */
const titles = new Set('mr mrs ms miss dr prof herr frau monsieur madame señor señora'.split(' '));

/** The words of a name as typed, in lower case, split like the stored names, without forms of address. */
export function nameWords(text: string): string[] {
  const words = text
    .toLowerCase()
    .replaceAll(/['’]s(?=\s|$)|(?:先生|女士|小姐)$/g, '')
    .split(/[\s!-/:-@[-`{-~·・’]+/u)
    .filter((word) => word !== '' && word.length <= MAX_LENGTH);
  const names = words.filter((word) => !titles.has(word));
  return [...new Set(names.length === 0 ? words : names)].slice(0, MAX_WORDS);
}
