/** The text as PostgreSQL can keep it: without lone surrogates and NUL, which devices may send anywhere. */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD');
