import {
  advancingStates,
  type ImportCounts,
  type ImportDetail,
  type ImportState,
} from '@deviceportal/contract/imports';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import type { Change } from '../platform/change-feed.ts';
import { holdUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { updateImport, type ImportChanges, type StoredImport } from './data/import-queries.ts';
import {
  nextRows,
  updateRows,
  type ImportStep,
  type StoredRow,
} from './data/import-row-queries.ts';
import { importFacts } from './decide-import.ts';
import { getImport } from './get-import.ts';
import type { ImportsDeps } from './imports-deps.ts';
import { requireImport } from './require-import.ts';
import { RowRace } from './row-race.ts';
import { applyRows } from './steps/apply-rows.ts';
import { checkRows } from './steps/check-rows.ts';
import type { StepDeps, StepRows } from './steps/step-rows.ts';
import { undoRows } from './steps/undo-rows.ts';

/** Rows of a transaction. */
const BATCH = 500;
/** A call returns after this time, so that progress is shown and the next one checks permissions again. */
const TURN_MS = 1_000;
const ATTEMPTS = 5;

const steps: Readonly<
  Record<ImportStep, (step: StepDeps, rows: readonly StoredRow[]) => Promise<StepRows>>
> = {
  checking: checkRows,
  applying: applyRows,
  undoing: undoRows,
};

/** The state after all rows of a step. */
const after: Readonly<Record<ImportStep, ImportChanges & { readonly state: ImportState }>> = {
  checking: { state: 'ready' },
  applying: { state: 'applied', hasEnded: true },
  undoing: { state: 'undone', hasEnded: true },
};

/**
 * Continues the check, the confirmed changes, or the undoing of an import for about a second, with the current
 * permissions of its user. Each batch of rows is a transaction that also marks them as done, so that after a crash the
 * next call continues where the last commit was.
 */
export async function advanceImport(
  deps: ImportsDeps,
  caller: Caller,
  id: string,
): Promise<ImportDetail> {
  const until = performance.now() + TURN_MS;
  while ((await advanceBatch(deps, caller, id)) && performance.now() < until);
  return getImport(deps, caller.viewer, { id });
}

/** @returns whether there is more to do */
async function advanceBatch(deps: ImportsDeps, caller: Caller, id: string): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { hasMore, changes } = await inTransaction(deps.database, (tx) =>
        advanceIn(tx, deps, { caller, id }),
      );
      if (changes.length > 0) deps.changes.publish(changes);
      return hasMore;
    } catch (error) {
      if (!(error instanceof RowRace) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function advanceIn(
  tx: Transaction,
  { imports: { vault } }: ImportsDeps,
  { caller, id }: { readonly caller: Caller; readonly id: string },
): Promise<{ hasMore: boolean; changes: readonly Change[] }> {
  const found = await requireImport(tx, caller.viewer, id);
  const step = advancingStates.find((state) => state === found.state);
  if (step === undefined) return { hasMore: false, changes: [] };
  // Two imports at the same time could add the same email address.
  await holdUntilCommit(tx, `import ${found.kind}`);
  const rows = await nextRows(tx, id, { step, limit: BATCH });
  if (rows.length === 0) {
    await finish(tx, { caller, found, step });
    return { hasMore: false, changes: [] };
  }
  const done = await steps[step]({ tx, vault, caller, found }, rows);
  await updateRows(tx, done.rows);
  await updateImport(tx, id, { counts: add(found.counts, done.counts) });
  return { hasMore: true, changes: done.changes };
}

async function finish(
  tx: Transaction,
  {
    caller,
    found,
    step,
  }: { readonly caller: Caller; readonly found: StoredImport; readonly step: ImportStep },
): Promise<void> {
  await updateImport(tx, found.id, after[step]);
  if (step === 'checking') return;
  const { undone, left } = found.counts;
  await recordAudit(tx, [
    {
      type: step === 'applying' ? 'import.completed' : 'import.undone',
      actor: actorOf(caller.viewer, caller),
      requestId: found.id,
      data: { ...importFacts(found), ...(step === 'undoing' && { undone, left }) },
    },
  ]);
}

function add(counts: ImportCounts, by: Partial<ImportCounts>): ImportCounts {
  const sum = (name: keyof ImportCounts): number => counts[name] + (by[name] ?? 0);
  return {
    ...{ rows: counts.rows, checked: sum('checked'), new: sum('new'), changed: sum('changed') },
    ...{ unchanged: sum('unchanged'), refused: sum('refused'), applied: sum('applied') },
    ...{ undone: sum('undone'), left: sum('left') },
  };
}
