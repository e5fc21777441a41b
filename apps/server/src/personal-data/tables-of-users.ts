import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** Where rows keep the name of a user beside what the user did. The rows stay, the name goes. */
export interface NameColumn {
  readonly table: PgTable;
  readonly name: PgColumn;
  /** The id of the user; without it rows are found by the name itself. */
  readonly id?: PgColumn;
  /** What else says who or where the user was: emptied. */
  readonly also?: readonly PgColumn[];
}

/** JSON in which names of users stand as values, whatever the field. */
export interface NamesInJson {
  readonly table: PgTable;
  readonly json: PgColumn;
  /** The id of the user whose rows they are; without it every row is looked at. */
  readonly id?: PgColumn;
}

/** Rows that exist for one user alone: they go. */
export interface OwnRows {
  readonly table: PgTable;
  readonly id: PgColumn;
}

/** Everything that a noun keeps of users, as its owner declares it: what is erased, and what a record holds. */
export interface UserTables {
  readonly names?: readonly NameColumn[];
  readonly json?: readonly NamesInJson[];
  readonly own?: readonly OwnRows[];
  /** Columns that no record contains: secrets, and sealed values. */
  readonly secret?: readonly PgColumn[];
}
