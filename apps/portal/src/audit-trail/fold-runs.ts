import { areAlike } from '@deviceportal/contract/audit-folding';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';

/** An event of the list, or a run of alike ones that stands for them: then `id` is its own. */
export interface AuditRow extends AuditEvent {
  /** Newest first; absent where the row is an event itself. */
  readonly run?: readonly AuditEvent[];
}

/** Fewer are read sooner than opened. */
const SHORTEST = 3;

/** Runs of alike events that follow each other become one row each; everything else stays where it was. */
export function foldRuns(events: readonly AuditEvent[]): AuditRow[] {
  const runs: AuditEvent[][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && areAlike(last[0], event)) last.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run): AuditRow[] => {
    const [newest] = run;
    if (newest === undefined || run.length < SHORTEST) return run;
    return [{ ...newest, id: `run-${newest.id}`, run }];
  });
}

/** How often each type occurs, the most frequent first. */
export function countTypes(run: readonly AuditEvent[]): readonly (readonly [string, number])[] {
  return [...Map.groupBy(run, ({ type }) => type)]
    .map(([type, found]) => [type, found.length] as const)
    .toSorted(([, one], [, other]) => other - one);
}
