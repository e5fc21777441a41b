import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { lockQueued } from '../data/execution/open-invocation-queries.ts';
import { markAllPaused } from '../data/schedule-queries.ts';
import { endInvocations } from './end-invocations.ts';

const BATCH_SIZE = 1_000;

/**
 * Cancels a user's queued invocations and pauses their schedules, in batches. Invocations left over after a crash are
 * denied when they are about to be sent.
 */
export async function stopQueued(
  { database, changes }: { readonly database: Database; readonly changes: ChangeFeed },
  caller: Caller,
  userId: string,
): Promise<void> {
  await inTransaction(database, (tx) => pauseSchedules(tx, caller, userId));
  for (let ended = BATCH_SIZE; ended === BATCH_SIZE;) {
    const news = await inTransaction(database, async (tx) => {
      const queued = await lockQueued(tx, userId, BATCH_SIZE);
      ended = queued.length;
      return endInvocations(tx, queued, {
        statusDetails: 'Access Denied',
        audit: 'command.terminated',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { reason: 'right-ended' },
      });
    });
    changes.publish(news);
  }
}

async function pauseSchedules(tx: Transaction, caller: Caller, userId: string): Promise<void> {
  const paused = await markAllPaused(tx, userId);
  await recordAudit(
    tx,
    paused.map(({ id, name, command }) => ({
      type: 'schedule.paused',
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      data: { scheduleId: id, schedule: name, command },
    })),
  );
}
