import { sql } from 'drizzle-orm';
import type { NotificationFacts } from '@deviceportal/contract/notifications';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { deviceConnections as connection } from '../devices/data/device-connections.ts';
import { deviceRecords as device } from '../devices/data/device-records.ts';
import { findPeopleReaching } from '../access/data/people-holding.ts';
import { notify } from './notify.ts';

interface EndedRun {
  readonly userId: string;
  readonly runId: string;
  /** Of the schedule that made it; null where a person did. */
  readonly scheduleName: string | null;
  readonly facts: NotificationFacts;
  readonly isWave: boolean;
  /** It took no longer than somebody watches. */
  readonly isBrief: boolean;
  /** Its only device connected after it was queued. */
  readonly cameBack: boolean;
}

/** A command on one device that is done by then was watched by whoever sent it. */
const BRIEF_SECONDS = 15;
const SCHEDULE = 'schedule:';

/**
 * Tells its sender that a run has ended, with its counts: once for a run, however many devices it has. The waves of
 * an AirBlast are its own business; a run of a schedule speaks in the schedule's name. Who may not see all of it any more
 * is not told.
 */
export async function notifyRunEnded(tx: Transaction, runId: string): Promise<Change[]> {
  const { rows } = await tx.execute(sql`
    select r.created_by_id as "userId", r.id as "runId", 
      (select s.name from run_schedule s
       where starts_with(r.request_id, ${SCHEDULE}) and s.id::text = substr(r.request_id, ${SCHEDULE.length + 1}))
        as "scheduleName",
      jsonb_build_object('runId', r.id, 'command', r.command, 'statusDetails', r.status_details,
        'target', r.target_count, 'success', r.success_count, 'failed', r.failed_count,
        'timedOut', r.timed_out_count, 'cancelled', r.cancelled_count, 'deviceId', single.device_id,
        'invocationId', single.id, 'device', single.device) as facts,
      exists (select from air_blast_wave w where w.run_key = r.idempotency_key) as "isWave",
      r.target_count <= 1 and r.ended_at - r.created_at < make_interval(secs => ${BRIEF_SECONDS}) as "isBrief",
      coalesce(single.came_back, false) as "cameBack"
    from command_run r
    left join lateral (
      select i.id, i.device_id, coalesce(${device.serialNumber}, ${device.name}) as device,
        i.sent_at is not null and ${connection.connectivitySince} > i.queued_at as came_back
      from invocation i join ${device} on ${device.deviceId} = i.device_id
      left join ${connection} on ${connection.deviceId} = i.device_id
      where r.target_count = 1 and i.run_id = r.id limit 1) single on true
    where r.id = ${runId} and r.ended_at is not null`);
  const run = rows[0] as unknown as EndedRun | undefined;
  if (run === undefined || run.isWave) return [];
  const { userId, facts } = run;
  const devices = sql`
    select ${device.country}, ${device.model}, ${device.labels}
    from invocation i join ${device} on ${device.deviceId} = i.device_id where i.run_id = ${runId}`;
  if ((await findPeopleReaching(tx, ['commands:read'], devices, [userId])).length === 0) return [];
  const subject = `run:${run.runId}`;
  if (run.scheduleName !== null) {
    const schedule = run.scheduleName;
    return notify(tx, [{ userId, kind: 'schedule-ran', subject, facts: { ...facts, schedule } }]);
  }
  if (run.cameBack) return notify(tx, [{ userId, kind: 'queued-ran', subject, facts }]);
  return run.isBrief ? [] : notify(tx, [{ userId, kind: 'run-ended', subject, facts }]);
}
