import { sql } from 'drizzle-orm';
import { openNames } from '../audit-trail/open-personal-fields.ts';
import type { AirBlastFailure, AirBlastMoment } from '@deviceportal/contract/air-blast';
import { auditTypes } from '@deviceportal/contract/audit-trail';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import { deviceRecords as device } from '../devices/data/device-records.ts';
import type { Executor } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { AirBlastRecord } from './air-blast-store.ts';

const MOST_KINDS = 50;
const MOST_MOMENTS = 1_000;

/** What devices failed on in their last try, the most frequent first. Counts are of all, the sample of who may be seen. */
export async function selectFailures(
  executor: Executor,
  { id, revision }: Pick<AirBlastRecord, 'id' | 'revision'>,
  scopes: readonly Scope[],
): Promise<AirBlastFailure[]> {
  const failedStep = sql`jsonb_path_query_first(v.steps,
    '$[*] ? (@.state == "Failed" || @.state == "TimedOut").name') #>> '{}'`;
  const { rows } = await executor.execute(sql`
    with failed as materialized (
      select v.id, v.run_id, v.device_id, v.status_details, v.response_code, ${failedStep} as step,
             ${device.serialNumber}, ${deviceScopeCondition(scopes, device)} as seen
      from air_blast_target t
      join ${device} on ${device.deviceId} = t.device_id
      join invocation v on v.run_id = t.run_id and v.device_id = t.device_id
      where t.air_blast_id = ${id} and t.revision = ${revision} and v.ended_at is not null and v.state <> 'Success')
    select status_details as "statusDetails", response_code as "responseCode", step, count(*)::int as devices,
           (array_agg(jsonb_build_object('deviceId', device_id, 'serialNumber', serial_number, 'invocationId', id,
              'runId', run_id) order by id) filter (where seen))[1] as sample
    from failed group by status_details, response_code, step
    order by count(*) desc, status_details, response_code, step limit ${MOST_KINDS}`);
  return rows as unknown as AirBlastFailure[];
}

const ownTypes = auditTypes.filter((type) => type.startsWith('air-blast.'));

/** Everything that was done to a run, oldest first, from the audit trail. */
export async function selectTimeline(
  executor: Executor,
  { id, createdAt }: Pick<AirBlastRecord, 'id' | 'createdAt'>,
  shown: (name: string) => string,
): Promise<AirBlastMoment[]> {
  const { rows } = await executor.execute(sql`
    select at, type, actor_name as actor, data->>'step' as step, (data->>'wave')::int as wave,
           coalesce(data->>'devices', data->>'targets', data->>'leftOut')::int as devices,
           nullif(coalesce(data->>'reason', data->>'comment'), '') as reason
    from audit_event
    where type = any(${sql.param(ownTypes)}::text[]) and at >= ${createdAt.toISOString()}::timestamptz - interval '1 minute'
      and data->>'airBlastId' = ${id}
    order by at, id limit ${MOST_MOMENTS}`);
  const moments = rows as unknown as (Omit<AirBlastMoment, 'at'> & { at: string })[];
  const nameOf = await openNames(
    executor,
    moments.map(({ actor }) => actor),
  );
  return moments.map((row) => ({
    ...row,
    at: isoOf(row.at),
    actor: shown(nameOf(row.actor)),
  }));
}
