import { sql, type SQL } from 'drizzle-orm';

interface NormalizingRule {
  /** An advanced regular expression of PostgreSQL (manual, 9.7.3), case-insensitive. */
  readonly pattern: string;
  readonly replacement: string;
}

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const zone = '(?: ?(?:z|utc|gmt|[+-]\\d\\d:?\\d\\d))?';
const clock = '\\d{1,2}:\\d\\d:\\d\\d(?:[.,]\\d+)?';

/**
 * Parts of outputs that vary by device. Order matters: dates before the clock times in them, addresses before the
 * numbers in them.
 */
const rules: readonly NormalizingRule[] = [
  { pattern: '\\r\\n?', replacement: '\n' },
  {
    pattern: '\\y[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\y',
    replacement: '<id>',
  },
  // ISO 8601, then `Fri Nov 20 22:38:52 UTC 2026`, `20 Nov 2026 22:38:52 +0100`, and syslog's `Nov 20 22:38:52`.
  { pattern: `\\y\\d{4}[-/]\\d\\d[-/]\\d\\d[t ]+${clock}${zone}`, replacement: '<time>' },
  {
    pattern: `\\y(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +)?(?:${month} +\\d{1,2}|\\d{1,2} ${month} \\d{4}),? +${clock}(?:(?: [a-z]{3,5})? \\d{4})?${zone}`,
    replacement: '<time>',
  },
  { pattern: '\\y\\d{4}[-/]\\d\\d[-/]\\d\\d\\y', replacement: '<date>' },
  {
    pattern: '(?<![[:alnum:]:])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![[:alnum:]:])',
    replacement: '<address>',
  },
  {
    pattern:
      '(?<![[:alnum:]:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?(?<=[0-9a-f]{1}))(?:%\\w+)?(?![[:alnum:]:])',
    replacement: '<address>',
  },
  {
    pattern: '(?<![\\d.])(?:\\d{1,3}\\.){3}\\d{1,3}(?::\\d{1,5})?(?![\\d.]*\\d)',
    replacement: '<address>',
  },
  { pattern: `(?<![\\d:])${clock}(?![\\d:])`, replacement: '<time>' },
  // Unix time in seconds or milliseconds, from 2017 to 2033.
  { pattern: '(?<![\\d.])1[5-9]\\d{8}(?:\\d{3})?(?:\\.\\d+)?(?!\\d)', replacement: '<time>' },
  // Hashes and serial numbers: long, hexadecimal, and with a letter, so that sizes and counts are kept.
  { pattern: '\\y(?:0x)?(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\\d)[0-9a-f]{12,}\\y', replacement: '<id>' },
  { pattern: '\\[\\d+\\]:', replacement: '[<id>]:' },
  { pattern: '\\y(pid[ =:]+)\\d+', replacement: '\\1<id>' },
  // Measured durations. A whole number of seconds is usually a setting.
  { pattern: '(?<![\\d.])\\d+(?:\\.\\d+)? ?(?:ms|µs|us|ns)\\y', replacement: '<duration>' },
  { pattern: '(?<![\\d.])\\d+\\.\\d+ ?s(?:ec(?:onds?)?)?\\y', replacement: '<duration>' },
  { pattern: '[ \\t]+$', replacement: '' },
];

/** ECMA-48: control sequences, operating system commands, other escapes. */
const ESCAPES =
  '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|\\x1b[ -/]*[0-~]';

/** Removes escape sequences from the expression `text`. Secrets are searched in the result. */
export function withoutEscapes(text: SQL): SQL {
  return sql`regexp_replace(${text}, ${ESCAPES}::text, '', 'g')`;
}

/** SQL expression for `text` with varying parts replaced. */
export function normalized(text: SQL): SQL {
  return rules.reduce(
    (inner, { pattern, replacement }) =>
      sql`regexp_replace(${inner}, ${pattern}::text, ${replacement}::text, 'gin')`,
    text,
  );
}

/** SQL expression for `text` with secrets replaced. Apply before other replacements, which could split a secret. */
export function withReplaced(
  text: SQL,
  pairs: readonly { readonly from: SQL; readonly to: string }[],
): SQL {
  return pairs.reduce((inner, { from, to }) => sql`replace(${inner}, ${from}, ${to}::text)`, text);
}
