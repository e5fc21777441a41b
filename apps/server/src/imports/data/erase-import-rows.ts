import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { RowWalk } from '../../personal-data/tables-of-users.ts';
import { dataImportRow } from './imports-tables.ts';

/** Deletes rows of files about people. Other rows, which can name them as owners, are kept for a day. */
export const importRowWalk = (personIds: readonly string[]): RowWalk => ({
  table: dataImportRow,
  along: [dataImportRow.targetId, dataImportRow.id],
  scope: isAnyOf(dataImportRow.targetId, personIds),
  matches: isAnyOf(dataImportRow.targetId, personIds),
});
