import type { RowKind } from '../../imports/row-kind.ts';
import { applyPersonRows } from './apply-person-rows.ts';
import { judgePersonRows, type PersonValues } from './judge-person-rows.ts';
import { parsePersonRow, type GivenPerson } from './parse-person-row.ts';
import { undoPersonRows } from './undo-person-rows.ts';

/** People in files. The portal's database is where people are kept, and users at their identity provider. */
export const personRows: RowKind<GivenPerson, PersonValues> = {
  parse: parsePersonRow,
  judge: judgePersonRows,
  apply: applyPersonRows,
  undo: undoPersonRows,
};
