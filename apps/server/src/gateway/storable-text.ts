/** The text without lone surrogates and NUL, which devices can send and PostgreSQL cannot store. */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD');
