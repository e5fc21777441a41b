import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** Column with the name of a user who did something. The rows are kept, and the name is replaced by a pseudonym. */
export interface NameColumn {
  readonly table: PgTable;
  readonly name: PgColumn;
  /** ID of the user; without it, rows are found by the name. */
  readonly id?: PgColumn;
  /** Further identifying columns, which are cleared. */
  readonly also?: readonly PgColumn[];
}

/** JSON with names of users as values of known fields. */
export interface NamesInJson {
  readonly table: PgTable;
  readonly json: PgColumn;
  /** ID of the user who owns the row; without it, all rows are searched. */
  readonly id?: PgColumn;
}

/** Rows that belong to a single user; they are deleted. */
export interface OwnRows {
  readonly table: PgTable;
  readonly id: PgColumn;
}

/** All data that a slice stores about users, for erasure and export. */
export interface UserTables {
  readonly names?: readonly NameColumn[];
  readonly json?: readonly NamesInJson[];
  readonly own?: readonly OwnRows[];
  /** Columns that are not exported: secrets and encrypted values. */
  readonly secret?: readonly PgColumn[];
}
