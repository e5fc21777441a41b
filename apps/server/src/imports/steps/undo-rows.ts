import type { StoredRow } from '../data/import-row-queries.ts';
import { kindOfRows } from '../kind-of-rows.ts';
import {
  countOf,
  openRows,
  rewritten,
  withProblem,
  type StepDeps,
  type StepRows,
} from './step-rows.ts';

/** Undoes rows, and leaves what has changed since. */
export async function undoRows(
  { tx, vault, caller, found }: StepDeps,
  stored: readonly StoredRow[],
): Promise<StepRows> {
  const opened = openRows(vault, stored);
  const { left, changes } = await kindOfRows(found.kind).undo(
    tx,
    { caller, importId: found.id, createdAt: found.createdAt },
    opened.map(({ targetId, content: { before, after } }) => ({
      ...{ targetId: targetId ?? '', before, after },
    })),
  );
  const rows = opened.map((row, index) => {
    const problem = left[index] ?? null;
    return problem === null
      ? rewritten(vault, row, { state: 'undone' })
      : withProblem(vault, row, problem, { state: 'left' });
  });
  const isIn = (state: string) => countOf(rows, (row) => row.state === state);
  return { rows, counts: { undone: isIn('undone'), left: isIn('left') }, changes };
}
