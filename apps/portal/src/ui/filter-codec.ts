/**
 * Property filters in the URL (`q`): tokens joined by `;`, each `key operator value[,value]`. Free
 * text has no key. `%`, `;`, and `,` in a value are percent-encoded, and so is anything that would
 * make free text look like a token.
 */

export const filterOperators = ['!:', '!=', '>=', '<=', '=', ':', '^', '<', '>'] as const;
export type UrlFilterOperator = (typeof filterOperators)[number];

export interface FilterQueryToken {
  /** Absent for free text. */
  readonly key?: string;
  readonly operator: UrlFilterOperator;
  readonly values: readonly string[];
}

export interface FilterQuery {
  readonly tokens: readonly FilterQueryToken[];
  readonly operation: 'and' | 'or';
}

const TOKEN = /^([A-Za-z][A-Za-z0-9_.-]*)(!:|!=|>=|<=|=|:|\^|<|>)(.*)$/s;
const NEGATED_TEXT = /^!:(.*)$/s;

/** Encodes the `q` parameter. Empty without tokens. */
export function encodeFilter(query: FilterQuery): string {
  return query.tokens.map(encodeToken).join(';');
}

/**
 * Decodes the `q` parameter. Never throws: invalid tokens are free text, empty ones are dropped.
 */
export function decodeFilter(q: string, operation: 'and' | 'or' = 'and'): FilterQuery {
  const tokens = q
    .split(';')
    .filter((part) => part !== '')
    .flatMap(decodeToken);
  return { tokens, operation };
}

function encodeToken(token: FilterQueryToken): string {
  const values = token.values.map(escapeValue).join(',');
  if (token.key !== undefined) return `${token.key}${token.operator}${values}`;
  const negation = token.operator === '!:' || token.operator === '!=' ? '!:' : '';
  return negation + escapeFreeText(token.values.join(' '));
}

function decodeToken(part: string): FilterQueryToken[] {
  const negated = NEGATED_TEXT.exec(part);
  if (negated !== null) return freeText('!:', negated[1] ?? '');
  const match = TOKEN.exec(part);
  if (match === null) return freeText(':', part);
  const values = (match[3] ?? '')
    .split(',')
    .map(unescapeText)
    .filter((value) => value !== '');
  if (values.length === 0) return [];
  return [{ key: match[1] ?? '', operator: match[2] as UrlFilterOperator, values }];
}

function freeText(operator: UrlFilterOperator, text: string): FilterQueryToken[] {
  const value = unescapeText(text);
  return value === '' ? [] : [{ operator, values: [value] }];
}

const escapeValue = (text: string): string => text.replaceAll(/[%;,]/g, percent);
const escapeFreeText = (text: string): string => text.replaceAll(/[%;!=:^<>]/g, percent);

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function unescapeText(text: string): string {
  return text.replaceAll(/%([0-9A-F]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
