import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';

/** An invocation that is on its way to its device. */
export interface ClaimedInvocation {
  readonly id: string;
  readonly deviceId: string;
  readonly attempt: number;
  readonly deliverBefore: Date;
  readonly expiresAt: Date;
}

/**
 * How far a run's queue has been walked. Most of it may wait for devices that are away: who begins at the start each
 * time looks at all of them again, whenever one invocation ends.
 */
export interface QueuePosition {
  /** Nothing up to this invocation was for a connected device; null is the start, `QUEUE_END` the end. */
  readonly after: string | null;
  /** Devices that have connected since, wherever they stand in the queue. */
  readonly late: readonly string[];
}

export const QUEUE_START: QueuePosition = { after: null, late: [] };
/** After every id that there can be. */
export const QUEUE_END = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface Claim {
  readonly claimed: readonly ClaimedInvocation[];
  /** Where the next claim goes on, once this one has committed. */
  readonly position: QueuePosition;
}

/** Takes up to `limit` of what waits for connected devices: those that came late first, then along the queue. */
export async function claimInvocations(
  tx: Transaction,
  runId: string,
  { limit, position }: { readonly limit: number; readonly position: QueuePosition },
): Promise<Claim> {
  const late = await claimLate(tx, runId, { limit, position });
  const isLateDone = late.length < limit;
  const walked =
    isLateDone && position.after !== QUEUE_END
      ? await claimWalking(tx, runId, { limit: limit - late.length, after: position.after })
      : [];
  const isEnd = isLateDone && walked.length < limit - late.length;
  const claimed = [...late, ...walked];
  const taken = new Set(late.map(({ deviceId }) => deviceId));
  return {
    claimed,
    position: {
      after: isEnd ? QUEUE_END : (walked.at(-1)?.id ?? position.after),
      late: isLateDone ? [] : position.late.filter((deviceId) => !taken.has(deviceId)),
    },
  };
}

async function claimLate(
  tx: Transaction,
  runId: string,
  { limit, position }: { readonly limit: number; readonly position: QueuePosition },
): Promise<ClaimedInvocation[]> {
  if (position.late.length === 0) return [];
  return claim(tx, runId, {
    limit,
    which: sql`invocation.device_id = any(${arrayOf('uuid', position.late)}) and invocation.ended_at is null`,
    order: sql`invocation.id`,
  });
}

/**
 * Walks the run's queue along its index and looks at each device by its key. Ordered by the whole of that index: by the
 * id alone the planner would walk the primary key, through every invocation there ever was.
 */
async function claimWalking(
  tx: Transaction,
  runId: string,
  { limit, after }: { readonly limit: number; readonly after: string | null },
): Promise<ClaimedInvocation[]> {
  return claim(tx, runId, {
    limit,
    which: after === null ? sql`true` : sql`invocation.id > ${after}::uuid`,
    order: sql`invocation.run_id, invocation.state, invocation.id`,
  });
}

async function claim(
  tx: Transaction,
  runId: string,
  { limit, which, order }: { readonly limit: number; readonly which: SQL; readonly order: SQL },
): Promise<ClaimedInvocation[]> {
  const free = await tx.execute<{
    id: string;
    device_id: string;
    instance_id: string | null;
    attempt: number;
    deliver_before: string;
    expires_at: string;
  }>(sql`
    select invocation.id, invocation.device_id, status.instance_id, attempt, deliver_before, expires_at
    from invocation, lateral (
      select instance_id from device_status
      where device_id = invocation.device_id and connectivity in ('online', 'degraded') and lifecycle = 'active'
      offset 0) as status
    where invocation.run_id = ${runId} and invocation.state = 'Pending' and invocation.deliver_before > portal_now()
      and ${which}
    order by ${order} limit ${limit}
    for update of invocation skip locked`);
  if (free.rows.length === 0) return [];
  const ids = arrayOf(
    'uuid',
    free.rows.map(({ id }) => id),
  );
  const instances = arrayOf(
    'text',
    free.rows.map(({ instance_id }) => instance_id),
  );
  await tx.execute(sql`
    update invocation set state = 'InProgress', status_details = 'InProgress', sent_at = portal_now(),
      instance_id = coalesce(free.instance_id, invocation.instance_id)
    from unnest(${ids}, ${instances}) as free(id, instance_id)
    where invocation.id = free.id`);
  return free.rows.map((row) => ({
    id: row.id,
    deviceId: row.device_id,
    attempt: row.attempt,
    deliverBefore: new Date(row.deliver_before),
    expiresAt: new Date(row.expires_at),
  }));
}
