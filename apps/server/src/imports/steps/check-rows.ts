import { importOutcomes } from '@deviceportal/contract/imports';
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

/** Compares rows with what is stored, for the preview. */
export async function checkRows(
  { tx, vault, caller, found }: StepDeps,
  stored: readonly StoredRow[],
): Promise<StepRows> {
  const opened = openRows(vault, stored);
  const verdicts = await kindOfRows(found.kind).judge(
    tx,
    caller,
    opened.map(({ content }) => content.given),
  );
  const rows = opened.flatMap((row, index) => {
    const verdict = verdicts[index];
    if (verdict === undefined) return [];
    const { outcome } = verdict;
    if (outcome === 'refused') return [withProblem(vault, row, verdict.problem, { outcome })];
    const { targetId, before, after } = verdict;
    return [rewritten(vault, row, { outcome, targetId }, { before, after })];
  });
  const counts = importOutcomes.map((outcome) => [
    outcome,
    countOf(rows, (row) => row.outcome === outcome),
  ]);
  return { rows, counts: { ...Object.fromEntries(counts), checked: rows.length }, changes: [] };
}
