const MAX_CHARACTERS = 1_000;

/** The text of a statement without values: parameters are numbered, and literals are hidden. */
export const statementText = (text: string): string =>
  text
    .replaceAll(/\bE'(?:[^'\\]|''|\\.)*'/gi, '?')
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/\$([a-z_]*)\$[\s\S]*?\$\1\$/gi, '?')
    .replaceAll(/(?<![\w$."])\d+(?:\.\d+)?(?!\w)/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS);

/** `select`, `insert`, …: the first word. */
export const operationOf = (text: string): string =>
  /^[\s(]*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'STATEMENT';
