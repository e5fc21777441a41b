import { countNamedRollouts } from '../../air-blast/data/erase-signed-steps.ts';
import { countNamedRuns } from '../../commands/data/erase-signed-names.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ErasureChange, StoredErasure } from '../data/erasure-queries.ts';
import { readErasedPerson, type ErasedPerson } from './erased-person.ts';
import { erasureSteps, signedSteps, type ErasureStep } from './erasure-steps.ts';

/** Rows that one transaction visits. */
const ROWS_AT_ONCE = 2_000;
/** A request that was in progress when the erasure began has ended after this time. What it wrote is erased again. */
const LATE_WRITES_SECONDS = 60;
/** Polling interval for the end of open runs. */
const OPEN_RUNS_SECONDS = 30;

/** The first two rounds visit everything; later ones wait for open runs. */
export const stepsOfRound = (round: number, person: ErasedPerson): ErasureStep[] =>
  round <= 2 ? erasureSteps(person) : signedSteps(person);

/** Erases a limited number of rows. @returns the progress, to be stored in the same transaction */
export async function eraseBatch(tx: Transaction, erasure: StoredErasure): Promise<ErasureChange> {
  const person = await readErasedPerson(tx, erasure);
  const steps = stepsOfRound(erasure.round, person);
  let { changed, deleted, position } = erasure;
  let index = steps.findIndex(({ key }) => key === erasure.step);
  // A step that this release does not have: the round starts over.
  if (index === -1) [index, position] = [0, null];
  const reportFiles: string[] = [];
  for (let visited = 0; index < steps.length && visited < ROWS_AT_ONCE;) {
    const batch = { after: position, limit: ROWS_AT_ONCE };
    const done = await (steps[index] as ErasureStep).run(tx, batch);
    visited += done.visited;
    changed += done.changed;
    deleted += done.deleted;
    reportFiles.push(...(done.reportFiles ?? []));
    position = done.next === null ? null : [...done.next];
    if (position === null) index += 1;
  }
  const progress = { changed, deleted, reportFiles };
  const step = steps[index];
  if (step !== undefined) return { ...progress, step: step.key, position, dueInSeconds: 0 };
  return { ...progress, ...(await endRound(tx, { erasure, person, reportFiles })) };
}

async function endRound(
  tx: Transaction,
  {
    erasure: { round },
    person: { user },
    reportFiles,
  }: {
    readonly erasure: StoredErasure;
    readonly person: ErasedPerson;
    readonly reportFiles: readonly string[];
  },
): Promise<ErasureChange> {
  const next = { round: round + 1, step: null, position: null };
  if (round === 1) return { ...next, dueInSeconds: LATE_WRITES_SECONDS };
  const waitsFor =
    user === undefined
      ? 0
      : (await countNamedRuns(tx, user.id)) + (await countNamedRollouts(tx, user.id));
  const over = { ...next, sealedNames: null, waitsFor };
  if (waitsFor > 0) return { ...over, dueInSeconds: OPEN_RUNS_SECONDS };
  return { ...over, dueInSeconds: reportFiles.length > 0 ? 0 : null };
}
