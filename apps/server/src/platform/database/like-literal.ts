/** Escapes what `like` would read as a wildcard. */
export const likeLiteral = (text: string): string =>
  text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
