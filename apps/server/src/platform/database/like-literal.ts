/** Escapes the wildcards of `like`. */
export const likeLiteral = (text: string): string =>
  text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
