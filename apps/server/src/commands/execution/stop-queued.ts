import { sql } from 'drizzle-orm';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { endInvocations, type OpenInvocation } from './end-invocations.ts';

const AT_ONCE = 1_000;

/**
 * Ends what a person has queued and pauses their schedules. In steps: what a crash leaves over is refused when it would
 * be sent, as is all of it without this.
 */
export async function stopQueued(
  { database, changes }: { readonly database: Database; readonly changes: ChangeFeed },
  caller: Caller,
  userId: string,
): Promise<void> {
  await inTransaction(database, (tx) => pauseSchedules(tx, caller, userId));
  for (let ended = AT_ONCE; ended === AT_ONCE;) {
    const news = await inTransaction(database, async (tx) => {
      const queued = await lockQueued(tx, userId);
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

async function lockQueued(tx: Transaction, userId: string): Promise<OpenInvocation[]> {
  const { rows } = await tx.execute<OpenInvocation & Record<string, unknown>>(sql`
    select i.id, i.run_id, i.device_id, i.state
    from invocation i join command_run r on r.id = i.run_id
    where r.created_by_id = ${userId} and r.ended_at is null
      and i.ended_at is null and i.state in ('Pending', 'Delayed')
    order by i.id limit ${AT_ONCE} for update of i`);
  return rows;
}

async function pauseSchedules(tx: Transaction, caller: Caller, userId: string): Promise<void> {
  const { rows } = await tx.execute<{ id: string; name: string; command: string }>(sql`
    update run_schedule set state = 'paused', next_at = null
    where created_by_id = ${userId} and state = 'active' returning id, name, command`);
  await recordAudit(
    tx,
    rows.map(({ id, name, command }) => ({
      type: 'schedule.paused',
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      data: { scheduleId: id, schedule: name, command },
    })),
  );
}
