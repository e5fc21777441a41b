import { sql, type SQL } from 'drizzle-orm';

const MAX_DIGITS = 12;
const LETTER = '[:alnum:]_–';

/** Before a number: nothing that makes it part of a word, a version, a date, a path, or another number. */
const start = `(?<![${LETTER}.,:/-])`;
/** After a number: at most a unit, and nothing that makes it part of a version or a path. */
const end = `(?= ?(?:%|[kmgtp]i?b?|b|bytes?|°?[cf]|[kmg]?hz|rpm|m?[vaw]|dbm?|days?|hours?|minutes?)?(?![${LETTER}]))(?!\\.\\d|[:/-]\\d)`;
const decimals = '(?:\\.\\d+)?';

/**
 * Ranges by the first digit, which is how people compare sizes and shares: 37% is in 30–39%, and 1,740 in 1,000–1,999.
 * Numbers of one digit are kept, because they are usually counts or codes.
 */
const rules: readonly { readonly pattern: string; readonly replacement: string }[] = [
  { pattern: `${start}\\d${decimals}(?= ?%)`, replacement: '0–9' },
  { pattern: `${start}(\\d)\\.\\d+${end}`, replacement: '\\1.0–\\1.9' },
  ...Array.from({ length: MAX_DIGITS - 1 }, (_each, index) => {
    const rest = index + 1;
    return {
      pattern: `${start}([1-9])\\d{${rest}}${decimals}${end}`,
      replacement: `\\1${'0'.repeat(rest)}–\\1${'9'.repeat(rest)}`,
    };
  }),
];

/** SQL expression for a normalized output with numbers replaced by their ranges. */
export function withRanges(text: SQL): SQL {
  return rules.reduce(
    (inner, { pattern, replacement }) =>
      sql`regexp_replace(${inner}, ${pattern}::text, ${replacement}::text, 'gi')`,
    text,
  );
}
