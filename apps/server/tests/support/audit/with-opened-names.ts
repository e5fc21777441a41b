import { openNames } from '../../../src/audit-trail/open-personal-fields.ts';
import type { Database } from '../../../src/platform/database/database.ts';

/** Rows of the audit trail with what says who a person is opened, whatever the columns are called. */
export async function withOpenedNames<Row extends object>(
  { orm }: Pick<Database, 'orm'>,
  rows: readonly Row[],
): Promise<Row[]> {
  const textsOf = (row: Row): string[] =>
    Object.values(row).filter((value) => typeof value === 'string');
  const textOf = (text: string) => ({ text, userId: null });
  const shown = await openNames(orm, rows.flatMap(textsOf).map(textOf));
  return rows.map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          typeof value === 'string' ? shown(textOf(value)) : value,
        ]),
      ) as Row,
  );
}
