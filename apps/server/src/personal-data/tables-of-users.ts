import type { SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** Column with the name of a user who did something. The rows are kept, and the name is replaced by a pseudonym. */
export interface NameColumn {
  readonly table: PgTable;
  readonly name: PgColumn;
  /** ID of the user; without it, rows are found by the name. */
  readonly id?: PgColumn;
  /** Further identifying columns, which are cleared. */
  readonly also?: readonly PgColumn[];
  /**
   * For large tables: the columns that follow the ID in an index, with which they identify a row. Without them, an
   * erasure visits all rows in the order of the primary key.
   */
  readonly along?: readonly PgColumn[];
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
  /** As for a name column. */
  readonly along?: readonly PgColumn[];
}

/** Rows that an erasure changes or deletes, a limited number at a time in the order of an index. */
export interface RowWalk {
  readonly table: PgTable;
  /** Columns of an index, in its order, that identify a row within the scope; default: the primary key. */
  readonly along?: readonly PgColumn[];
  /** The rows that are visited, found by that index; default: all. */
  readonly scope?: SQL;
  /** The visited rows that are changed or deleted. */
  readonly matches: SQL;
  /** New values; without them, the rows are deleted. */
  readonly set?: readonly (readonly [PgColumn, SQL])[];
}

/** All data that a slice stores about users, for erasure and export. */
export interface UserTables {
  readonly names?: readonly NameColumn[];
  readonly json?: readonly NamesInJson[];
  readonly own?: readonly OwnRows[];
  /** Columns that are not exported: secrets and encrypted values. */
  readonly secret?: readonly PgColumn[];
}
