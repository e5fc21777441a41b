import type { ImportColumn } from '@deviceportal/contract/imports';
import type { PortalError } from '@deviceportal/contract/errors';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';

/** Why a row is refused, or why undoing leaves it. */
export interface RowProblem {
  readonly column: ImportColumn | null;
  readonly refusal: PortalError;
}

/** The values of a row that are valid by themselves. Null: an empty cell, which changes nothing. */
export interface ParsedRow<Given> {
  readonly given: Given;
  /** Values that no other row of the file may have. */
  readonly uniques: Readonly<Partial<Record<ImportColumn, string>>>;
}

/** What a row does to the stored data. Values are JSON. */
export type Verdict<Values> =
  | { readonly outcome: 'refused'; readonly problem: RowProblem }
  | {
      readonly outcome: 'new';
      readonly targetId: null;
      readonly before: null;
      readonly after: Values;
    }
  | {
      readonly outcome: 'changed' | 'unchanged';
      readonly targetId: string;
      readonly before: Values;
      readonly after: Values;
    };

/** A row to write, or to undo. */
export interface RowChange<Values> {
  readonly targetId: string;
  /** Null for what the import adds. */
  readonly before: Values | null;
  readonly after: Values;
}

/** The import on whose behalf rows are written. */
export interface RowOrigin {
  readonly caller: Caller;
  readonly importId: string;
  readonly createdAt: Date;
}

/** How rows of one kind are checked, written, and undone; the caller owns the transaction. */
export interface RowKind<Given, Values> {
  /** Pure. */
  readonly parse: (cells: Readonly<Record<string, unknown>>) => ParsedRow<Given> | RowProblem;
  /** In the order of the rows. What exists is locked until the transaction ends. */
  readonly judge: (
    tx: Transaction,
    caller: Caller,
    rows: readonly Given[],
  ) => Promise<readonly Verdict<Values>[]>;
  /** Writes judged rows with their audit events. */
  readonly apply: (
    tx: Transaction,
    origin: RowOrigin,
    rows: readonly RowChange<Values>[],
  ) => Promise<readonly Change[]>;
  /** Undoes what nothing has changed since. The problem of each row that it leaves, in their order. */
  readonly undo: (
    tx: Transaction,
    origin: RowOrigin,
    rows: readonly RowChange<Values>[],
  ) => Promise<{
    readonly left: readonly (RowProblem | null)[];
    readonly changes: readonly Change[];
  }>;
}
