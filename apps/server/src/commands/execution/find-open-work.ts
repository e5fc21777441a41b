import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';
import type { ClaimedInvocation } from './claim-invocations.ts';

/** An invocation that its device has been sent and has not ended. */
export interface SentInvocation extends ClaimedInvocation {
  readonly runId: string;
  readonly cancelling: boolean;
}

interface SentRow extends Record<string, unknown> {
  readonly id: string;
  readonly run_id: string;
  readonly device_id: string;
  readonly attempt: number;
  readonly state: string;
  readonly deliver_before: string;
  readonly expires_at: string;
}

const FIND_LIMIT = 5_000;
/** The first devices begin while the others' messages are made. */
const SEND_LIMIT = 1_000;
/** What lies beyond is found by the next look at everything. */
const QUEUED_LIMIT = 20_000;

const idsOf = (deviceIds: readonly string[]) =>
  sql`select value::uuid from jsonb_array_elements_text(${JSON.stringify(deviceIds)}::jsonb)`;

/** Another instance knows nothing of what this one was sent, and may not begin it a second time. */
const ofThisInstance = sql`not exists (
  select 1 from device_instance as instance where instance.id = invocation.instance_id and instance.state <> 'current')`;

/** What devices that have just connected were sent before: they may have lost it. */
export async function findSent(
  { orm }: Pick<Database, 'orm'>,
  deviceIds: readonly string[],
): Promise<SentInvocation[]> {
  const result = await orm.execute<SentRow>(sql`
    select id, run_id, device_id, attempt, state, deliver_before, expires_at from invocation
    where device_id in (${idsOf(deviceIds)}) and ended_at is null and sent_at is not null and ${ofThisInstance}
    order by queued_at limit ${FIND_LIMIT}`);
  return result.rows.map(toSent);
}

/** A page of what the transaction that made a run has sent, behind an invocation. */
export async function findSentAtOnce(
  { orm }: Pick<Database, 'orm'>,
  runId: string,
  after: string,
): Promise<SentInvocation[]> {
  const result = await orm.execute<SentRow>(sql`
    select id, run_id, device_id, attempt, state, deliver_before, expires_at from invocation
    where run_id = ${runId} and state = 'InProgress' and id > ${after} and sent_at = queued_at
    order by run_id, state, id limit ${SEND_LIMIT}`);
  return result.rows.map(toSent);
}

/** What was sent some time ago to a device that is connected, and that nothing was heard of. */
export async function findUnanswered(
  { orm }: Pick<Database, 'orm'>,
  olderThanSeconds: number,
): Promise<SentInvocation[]> {
  const result = await orm.execute<SentRow>(sql`
    select invocation.id, run_id, invocation.device_id, attempt, state, deliver_before, expires_at
    from invocation join device_status as status on status.device_id = invocation.device_id
    where ended_at is null and status.connectivity in ('online', 'degraded') and ${ofThisInstance}
      and ((state = 'InProgress' and started_at is null and sent_at < portal_now() - make_interval(secs => ${olderThanSeconds}))
        or (state = 'Cancelling' and cancel_requested_at < portal_now() - make_interval(secs => ${olderThanSeconds})))
    order by sent_at limit ${FIND_LIMIT}`);
  return result.rows.map(toSent);
}

/** Runs with something queued for devices that are connected. */
export async function findReadyRuns({ orm }: Pick<Database, 'orm'>): Promise<string[]> {
  const result = await orm.execute<{ run_id: string }>(sql`
    select distinct run_id from invocation
      join device_status as status on status.device_id = invocation.device_id
    where ended_at is null and state = 'Pending' and status.connectivity in ('online', 'degraded')
      and ${notPaused} limit 1000`);
  return result.rows.map((row) => row.run_id);
}

/** What is queued for these devices, which have just connected: device ids by run. */
export async function findQueuedFor(
  { orm }: Pick<Database, 'orm'>,
  deviceIds: readonly string[],
): Promise<Map<string, string[]>> {
  const result = await orm.execute<{ run_id: string; device_id: string }>(sql`
    select run_id, device_id from invocation
    where device_id = any(${arrayOf('uuid', deviceIds)}) and ended_at is null and state = 'Pending'
      and ${notPaused} limit ${QUEUED_LIMIT}`);
  const queued = new Map<string, string[]>();
  for (const { run_id: runId, device_id: deviceId } of result.rows) {
    const own = queued.get(runId);
    if (own) own.push(deviceId);
    else queued.set(runId, [deviceId]);
  }
  return queued;
}

const notPaused = sql`not exists (
  select 1 from command_run where id = run_id and state in ('Paused', 'Approval'))`;

/** The devices of invocations that are to be cancelled on them. */
export async function findCancelling(
  { orm }: Pick<Database, 'orm'>,
  invocationIds: readonly string[],
): Promise<{ readonly id: string; readonly deviceId: string }[]> {
  const result = await orm.execute<{ id: string; device_id: string }>(sql`
    select id, device_id from invocation
    where id in (${idsOf(invocationIds)}) and state = 'Cancelling'`);
  return result.rows.map(({ id, device_id }) => ({ id, deviceId: device_id }));
}

const toSent = (row: SentRow): SentInvocation => ({
  id: row.id,
  runId: row.run_id,
  deviceId: row.device_id,
  attempt: row.attempt,
  cancelling: row.state === 'Cancelling',
  deliverBefore: new Date(row.deliver_before),
  expiresAt: new Date(row.expires_at),
});
