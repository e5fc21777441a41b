import { sql } from 'drizzle-orm';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { deviceConnections as connection } from '../devices/data/device-connections.ts';
import { deviceRecords as device } from '../devices/data/device-records.ts';
import { holdsOnDevice } from '../access/data/people-holding.ts';
import { notify } from './notify.ts';

interface CameBack {
  readonly userId: string;
  readonly runId: string;
  readonly command: string;
  readonly deviceId: string;
  readonly device: string;
  readonly statusDetails: string;
  readonly devices: number;
}

/**
 * Tells the senders of runs on many devices that what waited ran on devices that came back: once for a run, with the
 * number of them kept up to date. A run on one device says so when it ends. Of devices whose commands they may not see
 * any more they are not told.
 */
export async function notifyQueuedRan(
  tx: Transaction,
  ended: readonly { readonly id: string; readonly runId: string }[],
): Promise<Change[]> {
  if (ended.length === 0) return [];
  const { rows } = await tx.execute(sql`
    select r.created_by_id as "userId", r.id as "runId", r.command, count(*)::int as devices,
      (array_agg(${device.deviceId} order by i.ended_at))[1] as "deviceId",
      (array_agg(coalesce(${device.serialNumber}, ${device.name}) order by i.ended_at))[1] as device,
      (array_agg(i.status_details order by i.ended_at))[1] as "statusDetails"
    from invocation i
    join command_run r on r.id = i.run_id
    join ${device} on ${device.deviceId} = i.device_id
    join ${connection} on ${connection.deviceId} = i.device_id
    where i.id = any(${sql.param(ended.map(({ id }) => id))}::uuid[]) and r.target_count > 1
      and i.started_at is not null and ${connection.connectivitySince} > i.queued_at
      and not exists (select from air_blast_wave w where w.run_key = r.idempotency_key)
      and ${holdsOnDevice(sql`r.created_by_id`, 'commands:read', device)}
    group by r.id`);
  const found = rows as unknown as CameBack[];
  if (found.length === 0) return [];
  const { rows: known } = await tx.execute<{ runId: string }>(sql`
    update notification n
    set facts = jsonb_set(n.facts, '{devices}', to_jsonb((n.facts->>'devices')::int + more.devices))
    from unnest(${sql.param(found.map(({ runId }) => `run:${runId}`))}::text[],
                ${sql.param(found.map(({ devices }) => devices))}::int[],
                ${sql.param(found.map(({ userId }) => userId))}::uuid[]) as more(subject, devices, user_id)
    where n.user_id = more.user_id and n.kind = 'queued-ran' and n.subject = more.subject
    returning substr(n.subject, 5) as "runId"`);
  const told = new Set(known.map(({ runId }) => runId));
  return notify(
    tx,
    found
      .filter(({ runId }) => !told.has(runId))
      .map(({ userId, ...facts }) => ({
        userId,
        kind: 'queued-ran',
        subject: `run:${facts.runId}`,
        facts,
      })),
  );
}
