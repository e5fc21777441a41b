import type { ImportColumn } from '@deviceportal/contract/imports';
import { refuse } from '@deviceportal/contract/refuse';
import type { RowProblem } from '../row-kind.ts';

/** Characters with which a spreadsheet begins a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;
/** A number or a phone number is no formula. */
const NUMBER = /^[+-][\d\s().,/-]*$/;

/** The text of a cell; undefined if it is no text. Exports of the portal write `'=` for `=`. */
export function cellText(value: unknown): string | undefined {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

/** The problem of the first column whose text a spreadsheet would run. */
export function formulaProblem(
  texts: Readonly<Partial<Record<ImportColumn, string>>>,
): RowProblem | undefined {
  const found = Object.entries(texts).find(([, text]) => FORMULA.test(text) && !NUMBER.test(text));
  if (found === undefined) return undefined;
  return { column: found[0] as ImportColumn, refusal: refuse('import-formula') };
}
