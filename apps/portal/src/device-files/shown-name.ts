/** Control characters, and those that change the direction of text, as escapes: `a\u000ab`. */
export const shownName = (name: string): string =>
  name.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

export const joinPath = (folder: string, name: string): string =>
  folder === '' ? name : `${folder === '/' ? '' : folder}/${name}`;

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
