import { parse } from 'csv-parse/sync';
import {
  importColumns,
  type ImportColumn,
  type ImportProblem,
} from '@deviceportal/contract/devices';
import type { PortalError } from '@deviceportal/contract/errors';
import { nameSchema } from '@deviceportal/contract/name-schema';
import { isPlainName } from '@deviceportal/contract/plain-name';
import { refuse } from '@deviceportal/contract/refuse';
import { z } from 'zod';
import { labelsSchema, MOST_LABELS, serialNumberSchema } from '@deviceportal/contract/ids';
import { countrySchema } from '@deviceportal/contract/places';
import { importProblem } from './import-problem.ts';

/** A valid line of an import. */
export interface ImportLine {
  readonly line: number;
  readonly serialNumber: string;
  readonly name: string;
  readonly model: string | null;
  readonly ownerEmail: string | null;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

const MAX_CHARACTERS = 128;

const blankIsNull = z
  .string()
  .trim()
  .max(MAX_CHARACTERS)
  .refine(isPlainName, 'must not contain invisible or text direction characters')
  .transform((text) => (text === '' ? null : text));

const lineSchema = z.object({
  serialNumber: serialNumberSchema,
  name: nameSchema({ min: 0, max: MAX_CHARACTERS }).default(''),
  model: blankIsNull.default(null),
  ownerEmail: blankIsNull.default(null),
  country: z
    .union([z.literal('').transform(() => null), z.string().trim().pipe(countrySchema)])
    .default(null),
  labels: z
    .string()
    .default('')
    .transform((text) =>
      Object.fromEntries(
        text
          .split(';')
          .filter((pair) => pair.trim() !== '')
          .map((pair) => {
            const [key = '', ...value] = pair.split('=');
            return [key.trim(), value.join('=').trim()];
          }),
      ),
    )
    .pipe(labelsSchema),
});

/** Parses CSV (RFC 4180) with a header into valid lines and problems with line numbers. */
export function parseImport(csv: string): { lines: ImportLine[]; problems: ImportProblem[] } {
  let records: { record: Record<string, string>; info: { lines: number } }[];
  try {
    records = parse(csv, {
      columns: (header: string[]) => header.map(columnName),
      bom: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count_less: true,
      trim: true,
    });
  } catch (error) {
    const line = (error as { lines?: number }).lines ?? 1;
    const place = { line, column: null };
    return { lines: [], problems: [importProblem(place, refuse('import-unreadable'))] };
  }
  const [first] = records;
  if (first === undefined || !('serialNumber' in first.record)) {
    const columns = importColumns.join(', ');
    const refusal = refuse('import-header-missing', { facts: { columns } });
    return { lines: [], problems: [importProblem({ line: 1, column: null }, refusal)] };
  }
  return checkLines(records);
}

function checkLines(
  records: readonly { record: Record<string, string>; info: { lines: number } }[],
) {
  const lines: ImportLine[] = [];
  const problems: ImportProblem[] = [];
  const seen = new Map<string, number>();
  for (const { record, info } of records) {
    const line = info.lines;
    const parsed = lineSchema.safeParse(record);
    if (!parsed.success) {
      const column = importColumns.find((name) => name === parsed.error.issues[0]?.path[0]) ?? null;
      problems.push(importProblem({ line, column }, whyWrong(column)));
      continue;
    }
    const earlier = seen.get(parsed.data.serialNumber);
    if (earlier !== undefined) {
      const facts = { line: earlier, serialNumber: parsed.data.serialNumber };
      const place = { line, column: 'serialNumber' } as const;
      problems.push(importProblem(place, refuse('serial-number-repeated', { facts })));
      continue;
    }
    seen.set(parsed.data.serialNumber, line);
    lines.push({ ...parsed.data, line });
  }
  return { lines, problems };
}

/** The error for an invalid value of a column. */
function whyWrong(column: ImportColumn | null): PortalError {
  switch (column) {
    case 'serialNumber':
      return refuse('serial-number-invalid');
    case 'country':
      return refuse('country-invalid');
    case 'labels':
      return refuse('labels-invalid', { facts: { most: MOST_LABELS } });
    case 'name':
    case 'model':
    case 'ownerEmail':
      return refuse('text-invalid', { facts: { most: MAX_CHARACTERS } });
    case null:
      return refuse('import-unreadable');
  }
}

/** Headers are case-insensitive and can contain spaces or underscores. */
function columnName(header: string): string {
  const plain = header.toLowerCase().replaceAll(/[\s_-]/g, '');
  return importColumns.find((column) => column.toLowerCase() === plain) ?? header;
}
