import { areAlike } from '@deviceportal/contract/audit-folding';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';

/** An event, or a group of repeated events, which then has its own `id`. */
export interface AuditRow extends AuditEvent {
  /** The grouped events, newest first. Absent for a single event. */
  readonly run?: readonly AuditEvent[];
}

/** The smallest number of events that is grouped. */
const SHORTEST = 3;

/** Groups consecutive repeated events into one row each. The order stays the same. */
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

/** The number of events by type, the most frequent first. */
export function countTypes(run: readonly AuditEvent[]): readonly (readonly [string, number])[] {
  return [...Map.groupBy(run, ({ type }) => type)]
    .map(([type, found]) => [type, found.length] as const)
    .toSorted(([, one], [, other]) => other - one);
}
