import { areAlike } from '@deviceportal/contract/audit-folding';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';

/** An event, or a group of repeated events, which then has its own `id`. */
export interface AuditRow extends AuditEvent {
  /** The grouped events, newest first. Absent for a single event. */
  readonly group?: readonly AuditEvent[];
}

/** The smallest number of events that is grouped. */
const SHORTEST = 3;

/** Groups consecutive repeated events into one row each. The order stays the same. */
export function groupEvents(events: readonly AuditEvent[]): AuditRow[] {
  const groups: AuditEvent[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && areAlike(last[0], event)) last.push(event);
    else groups.push([event]);
  }
  return groups.flatMap((group): AuditRow[] => {
    const [newest] = group;
    if (newest === undefined || group.length < SHORTEST) return group;
    return [{ ...newest, id: `group-${newest.id}`, group }];
  });
}

/** The number of events by type, the most frequent first. */
export function countTypes(group: readonly AuditEvent[]): readonly (readonly [string, number])[] {
  return [...Map.groupBy(group, ({ type }) => type)]
    .map(([type, found]) => [type, found.length] as const)
    .toSorted(([, one], [, other]) => other - one);
}
