import { sql, type SQL } from 'drizzle-orm';
import type { AirBlastTargetGroup, AirBlastTargetRow } from '@deviceportal/contract/air-blast';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import { deviceRecords as device } from '../../devices/data/device-records.ts';
import type { Executor } from '../../platform/database/database.ts';
import { installedVersions } from '../../versions/data/installed-versions.ts';
import type { AirBlastRecord } from '../air-blast-store.ts';
import { wouldRunUnchecked } from './target-set-store.ts';

export interface TargetRowQuery {
  readonly run: AirBlastRecord;
  /** Where devices may be read. */
  readonly scopes: readonly Scope[];
  readonly group: AirBlastTargetGroup;
  /** The device id of the last row before. */
  readonly after: string | null;
  readonly limit: number;
}

const conditionOf: Readonly<Record<AirBlastTargetGroup, SQL>> = {
  all: sql`true`,
  excluded: sql`t.exclusion is not null`,
  'no-go': sql`t.no_go <> '{}'`,
  canary: sql`t.canary`,
  failed: sql`t.run_id is not null and v.ended_at is not null and v.state <> 'Success'`,
  unverified: sql`t.verified = false`,
  unchecked: wouldRunUnchecked,
};

export async function selectTargetRows(
  executor: Executor,
  { run, scopes, group, after, limit }: TargetRowQuery,
): Promise<AirBlastTargetRow[]> {
  const scope = deviceScopeCondition(scopes, device);
  const further = after === null ? sql`true` : sql`t.device_id > ${after}::uuid`;
  const { rows } = await executor.execute(sql`
    select t.device_id as "deviceId", ${device.name}, ${device.serialNumber} as "serialNumber",
           ${device.model}, ${device.country}, t.exclusion,
           coalesce(t.no_go, '{}') as "noGo", t.canary, t.verified, t.run_id as "runId", v.id as "invocationId",
           v.state as "invocationState", v.status_details as "statusDetails", v.response_code as "responseCode", ${installedVersions.version} as "reportedVersion",
           (select w.wave from air_blast_wave w
            where w.air_blast_id = t.air_blast_id and w.run_id = t.run_id limit 1) as wave
    from air_blast_target t
    join ${device} on ${device.deviceId} = t.device_id
    left join invocation v on v.run_id = t.run_id and v.device_id = t.device_id
    left join ${installedVersions} on ${installedVersions.deviceId} = t.device_id
      and ${installedVersions.component} = ${run.component}
    where t.air_blast_id = ${run.id} and t.revision = ${run.revision} and ${conditionOf[group]}
      and ${further} and ${scope}
    order by t.device_id limit ${limit}`);
  return rows as unknown as AirBlastTargetRow[];
}
