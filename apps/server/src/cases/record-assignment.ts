import type { ReachingUser } from '../access/data/users-reaching.ts';
import { notify } from '../notifications/notify.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { nameOf } from './assignee-name.ts';
import { priorityOf } from './case-priority.ts';
import type { LockedCase } from './data/case-queries.ts';
import { recordInCase } from './record-in-case.ts';

export interface Assignment {
  readonly found: Pick<LockedCase, 'id' | 'personId' | 'priority'>;
  /** Null if no user is responsible any more. */
  readonly assignee: ReachingUser | null;
  readonly at: Date;
}

/** Records an assignment, and notifies the user, unless they assigned the case themselves. */
export async function recordAssignment(
  tx: Transaction,
  caller: Caller,
  { found: { id, personId, priority }, assignee, at }: Assignment,
): Promise<Change[]> {
  if (assignee === null) {
    const audit = { type: 'case.unassigned', data: { personId } } as const;
    await recordInCase(tx, caller, { caseId: id, at, entry: { kind: 'assigned' }, audit });
    return [];
  }
  const { id: userId, username } = assignee;
  await recordInCase(tx, caller, {
    ...{ caseId: id, at },
    entry: { kind: 'assigned', data: { username: nameOf(assignee) } },
    audit: { type: 'case.assigned', data: { personId, userId, username } },
  });
  if (userId === caller.viewer.userId) return [];
  // Assigned again later, the user is notified again.
  const subject = `case:${id}:${at.toISOString()}`;
  const facts = { caseId: id, by: caller.viewer.displayName, priority: priorityOf(priority) };
  return notify(tx, [{ userId, kind: 'case-assigned', subject, facts }]);
}
