import { sql, type Column, type SQL } from 'drizzle-orm';
import type { Executor } from './database.ts';

type Fields = Readonly<Record<string, Column | SQL>>;

/** A row as the driver returns it: timestamps and `bigint` are text. */
export type DriverRow<Of extends Fields> = {
  readonly [Name in keyof Of]: Of[Name] extends Column
    ? DriverValue<Of[Name]['_']> | (Of[Name]['_']['notNull'] extends true ? never : null)
    : Of[Name] extends SQL<infer Value>
      ? Value
      : never;
};

type DriverValue<Of extends Column['_']> = Of['data'] extends Date
  ? string
  : Of['columnType'] extends 'PgBigInt53'
    ? string
    : Of['data'];

/**
 * Rows of a statement that the query builder cannot express, or whose rows are too many for its mapping, which takes
 * about as long as the driver itself (measured with 23 columns). Their type follows from the fields.
 *
 * @param statement makes the statement from the select list, or from the list after `returning`
 */
export async function selectRows<const Of extends Fields>(
  on: Executor,
  fields: Of,
  statement: (list: SQL) => SQL,
): Promise<DriverRow<Of>[]> {
  const list = Object.entries(fields).map(
    ([name, value]) => sql`${value} as ${sql.identifier(name)}`,
  );
  const { rows } = await on.execute(statement(sql.join(list, sql`, `)));
  return rows as DriverRow<Of>[];
}
