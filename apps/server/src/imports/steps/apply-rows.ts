import { isDeepStrictEqual } from 'node:util';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import type { StoredRow } from '../data/import-row-queries.ts';
import { kindOfRows } from '../kind-of-rows.ts';
import type { RowProblem, Verdict } from '../row-kind.ts';
import {
  countOf,
  openRows,
  rewritten,
  withProblem,
  type OpenRow,
  type StepDeps,
  type StepRows,
} from './step-rows.ts';

/** Writes rows that still do what the preview showed, and refuses the others. */
export async function applyRows(
  { tx, vault, caller, found }: StepDeps,
  stored: readonly StoredRow[],
): Promise<StepRows> {
  const opened = openRows(vault, stored);
  const kind = kindOfRows(found.kind);
  const verdicts = await kind.judge(
    tx,
    caller,
    opened.map(({ content }) => content.given),
  );
  const judged = opened.map((row, index) => ({
    row: { ...row, targetId: row.targetId ?? newId() },
    problem: problemOf(row, verdicts[index]),
  }));
  const good = judged.filter(({ problem }) => problem === null).map(({ row }) => row);
  const changes = await kind.apply(
    tx,
    { caller, importId: found.id, createdAt: found.createdAt },
    good.map(({ targetId, content: { before, after } }) => ({ targetId, before, after })),
  );
  const refused = judged.filter(({ problem }) => problem !== null).map(({ row }) => row);
  const was = (outcome: string) => countOf(refused, (row) => row.outcome === outcome);
  return {
    rows: judged.map(({ row, problem }) =>
      problem === null
        ? rewritten(vault, row, { state: 'applied' })
        : withProblem(vault, { ...row, targetId: null }, problem, { outcome: 'refused' }),
    ),
    counts: {
      ...{ applied: good.length, refused: refused.length },
      ...{ new: -was('new'), changed: -was('changed') },
    },
    changes,
  };
}

function problemOf(
  { outcome, targetId, content }: OpenRow,
  verdict: Verdict<unknown> | undefined,
): RowProblem | null {
  if (verdict?.outcome === 'refused') return verdict.problem;
  const isAsShown =
    verdict?.outcome === outcome &&
    verdict?.targetId === targetId &&
    isDeepStrictEqual([verdict?.before, verdict?.after], [content.before, content.after]);
  return isAsShown ? null : { column: null, refusal: refuse('import-row-outdated') };
}
