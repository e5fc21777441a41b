import { sql, type SQL } from 'drizzle-orm';
import type { BinaryType, Cell } from './binary-array.ts';
import { rowsOf } from './rows-of.ts';

export interface NamedRows<Name extends string> {
  /** For `from`. */
  readonly source: SQL;
  readonly columns: Readonly<Record<Name, SQL>>;
}

/**
 * `rowsOf` with an alias and references to its columns.
 *
 * @param types each column's name and PostgreSQL type, the key first
 * @param rows at least one
 */
export function namedRows<Name extends string>(
  alias: string,
  types: Readonly<Record<Name, BinaryType>>,
  rows: readonly Readonly<Record<NoInfer<Name>, Cell>>[],
): NamedRows<Name> {
  const names = Object.keys(types) as Name[];
  const columnOf = (name: Name) => sql`${sql.identifier(alias)}.${sql.identifier(name)}`;
  return {
    source: sql`${rowsOf(types, rows)} as ${sql.identifier(alias)}`,
    columns: Object.fromEntries(names.map((name) => [name, columnOf(name)])) as Record<Name, SQL>,
  };
}
