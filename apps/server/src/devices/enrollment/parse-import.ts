import { parse } from 'csv-parse/sync';
import { nameSchema } from '@deviceportal/contract/name-schema';
import { isPlainName } from '@deviceportal/contract/plain-name';
import { z } from 'zod';
import { labelsSchema, serialNumberSchema } from '@deviceportal/contract/ids';
import { countrySchema } from '@deviceportal/contract/places';

/** One good line of an import. */
export interface ImportLine {
  readonly line: number;
  readonly serialNumber: string;
  readonly name: string;
  readonly model: string | null;
  readonly ownerEmail: string | null;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

export interface ImportProblem {
  readonly line: number;
  readonly message: string;
}

const importColumns = ['serialNumber', 'name', 'model', 'ownerEmail', 'country', 'labels'] as const;

const blankIsNull = z
  .string()
  .trim()
  .max(128)
  .refine(isPlainName, 'must not contain invisible or text direction characters')
  .transform((text) => (text === '' ? null : text));

const lineSchema = z.object({
  serialNumber: serialNumberSchema,
  name: nameSchema({ min: 0, max: 128 }).default(''),
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

/** CSV as RFC 4180 has it, with a header, into lines that can be imported and problems with the number of their line. */
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
    return { lines: [], problems: [{ line, message: (error as Error).message }] };
  }
  const [first] = records;
  if (first === undefined || !('serialNumber' in first.record)) {
    const message = `The first line must be a header with these columns: ${importColumns.join(', ')}.`;
    return { lines: [], problems: [{ line: 1, message }] };
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
      const issue = parsed.error.issues[0];
      problems.push({
        line,
        message: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`,
      });
      continue;
    }
    const earlier = seen.get(parsed.data.serialNumber);
    if (earlier !== undefined) {
      const message = `serialNumber: ${parsed.data.serialNumber} is already in line ${earlier}`;
      problems.push({ line, message });
      continue;
    }
    seen.set(parsed.data.serialNumber, line);
    lines.push({ ...parsed.data, line });
  }
  return { lines, problems };
}

/** A header is taken whatever its case, and with spaces or underscores in it. */
function columnName(header: string): string {
  const plain = header.toLowerCase().replaceAll(/[\s_-]/g, '');
  return importColumns.find((column) => column.toLowerCase() === plain) ?? header;
}
