import type { ImportCounts } from '@deviceportal/contract/imports';
import type { TextVault } from '../../commands/output/text-vault.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { StoredImport } from '../data/import-queries.ts';
import type { StoredRow, WrittenRow } from '../data/import-row-queries.ts';
import { openContent, sealContent, type RowContent } from '../row-content.ts';
import type { RowProblem } from '../row-kind.ts';

/** What a step of an import works with; the import is locked. */
export interface StepDeps {
  readonly tx: Transaction;
  readonly vault: TextVault;
  readonly caller: Caller;
  readonly found: StoredImport;
}

/** What a step has done with a batch of rows. */
export interface StepRows {
  readonly rows: readonly WrittenRow[];
  /** By how much the counts change. */
  readonly counts: Partial<ImportCounts>;
  readonly changes: readonly Change[];
}

export interface OpenRow extends StoredRow {
  readonly content: RowContent;
}

export const openRows = (vault: TextVault, rows: readonly StoredRow[]): OpenRow[] =>
  rows.map((row) => ({ ...row, content: openContent(vault, row) }));

/** A row with other values or another content. */
export function rewritten(
  vault: TextVault,
  { content, ...row }: OpenRow,
  changes: Partial<Pick<WrittenRow, 'outcome' | 'state' | 'targetId' | 'reason' | 'columnName'>>,
  more: Partial<RowContent> = {},
): WrittenRow {
  return { ...row, ...changes, sealed: sealContent(vault, row.id, { ...content, ...more }) };
}

/** A row with the problem for which it is refused or left. */
export const withProblem = (
  vault: TextVault,
  row: OpenRow,
  { column, refusal }: RowProblem,
  state: Partial<Pick<WrittenRow, 'outcome' | 'state'>>,
): WrittenRow =>
  rewritten(
    vault,
    row,
    { ...state, columnName: column, reason: refusal.reason ?? 'input-invalid' },
    { facts: refusal.facts, message: refusal.message },
  );

export const countOf = <Item>(items: readonly Item[], matches: (item: Item) => boolean): number =>
  items.filter(matches).length;
