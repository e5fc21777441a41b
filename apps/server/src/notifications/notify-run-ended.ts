import { findUsersWithPermissionsOn } from '../access/data/users-with-permission.ts';
import { devicesOfRun } from '../commands/data/devices-of-run.ts';
import { findEndedRun } from '../commands/data/execution/run-news-queries.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { subjectOfRun } from './data/notification-queries.ts';
import { notify } from './notify.ts';

/** The sender of a run on one device that ends within this time has watched it. */
const BRIEF_SECONDS = 15;

/**
 * Notifies the sender of a run that it has ended, with its counts: once for a run of any size. Stages of AirBlast
 * rollouts are excluded; a run of a schedule is announced under the schedule's name. A sender who can no longer view
 * all of it is not notified.
 */
export async function notifyRunEnded(tx: Transaction, runId: string): Promise<Change[]> {
  const run = await findEndedRun(tx, runId, BRIEF_SECONDS);
  if (run === undefined || run.isStage) return [];
  const { userId, facts, scheduleName: schedule } = run;
  const reaching = await findUsersWithPermissionsOn(tx, ['commands:read'], devicesOfRun(runId), [
    userId,
  ]);
  if (reaching.length === 0) return [];
  const subject = subjectOfRun(runId);
  if (schedule !== null)
    return notify(tx, [{ userId, kind: 'schedule-ran', subject, facts: { ...facts, schedule } }]);
  if (run.cameBack) return notify(tx, [{ userId, kind: 'queued-ran', subject, facts }]);
  return run.isBrief ? [] : notify(tx, [{ userId, kind: 'run-ended', subject, facts }]);
}
