import { sql } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { Connectivity, DeviceLifecycle } from '@deviceportal/contract/states';
import { deviceConnections as connection } from '../../devices/data/device-connections.ts';
import { deviceRecords as device } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import { isoOrNull } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { installedVersions } from '../../versions/data/installed-versions.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import type { AirBlastRecord } from '../air-blast-store.ts';
import { requireAirBlast } from '../change-progress.ts';

/** Everything that can say what became of one device of an AirBlast. Moments as ISO 8601. */
export interface TargetReasonFacts {
  readonly run: AirBlastRecord;
  readonly exclusion: string | null;
  readonly noGo: readonly string[];
  readonly verified: boolean | null;
  readonly invocationId: string | null;
  readonly reportedVersion: string | null;
  /** The first wave of the running step that holds it and has not opened; null without one. */
  readonly waitsForWave: number | null;
  /** Another run that is open on the device. */
  readonly otherRun: { readonly runId: string; readonly command: string } | null;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly country: string | null;
  readonly model: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle: DeviceLifecycle;
  readonly connectivity: Connectivity | null;
  readonly connectivitySince: string | null;
  readonly disconnectReason: string | null;
  readonly instanceId: string | null;
  readonly platform: string | null;
  readonly diskUsedPercent: number | null;
}

/** @throws PortalError 2003 without such a run, 6000 where the device is none of its targets that the viewer sees */
export async function findTargetFacts(
  { database }: Pick<AirBlastDeps, 'database'>,
  viewer: Viewer,
  { id, deviceId }: { readonly id: string; readonly deviceId: string },
): Promise<TargetReasonFacts> {
  const run = await requireAirBlast(database.orm, viewer, id);
  const { rows } = await database.orm.execute(sql`
    select t.exclusion, coalesce(t.no_go, '{}') as "noGo", t.verified, v.id as "invocationId",
      ${installedVersions.version} as "reportedVersion",
      (select min(w.wave) from air_blast_wave w
       where w.air_blast_id = t.air_blast_id and w.revision = t.revision and w.step = ${run.step}
         and w.attempt = ${run.attempt} and w.opened_at is null and t.device_id = any(w.device_ids)) as "waitsForWave",
      (select jsonb_build_object('runId', r.id, 'command', r.command)
       from invocation o join command_run r on r.id = o.run_id
       where o.device_id = t.device_id and o.ended_at is null and o.run_id is distinct from t.run_id
       order by o.queued_at limit 1) as "otherRun",
      ${device.deviceId} as "deviceId", coalesce(${device.serialNumber}, ${device.name}) as "deviceName",
      ${device.country}, ${device.model}, ${device.labels}, ${device.lifecycle}, ${connection.connectivity},
      ${connection.connectivitySince} as "connectivitySince", ${connection.disconnectReason} as "disconnectReason",
      ${connection.instanceId} as "instanceId", ${connection.platform},
      ${connection.diskUsedPercent} as "diskUsedPercent"
    from air_blast_target t
    join ${device} on ${device.deviceId} = t.device_id
    left join ${connection} on ${connection.deviceId} = t.device_id
    left join invocation v on v.run_id = t.run_id and v.device_id = t.device_id
    left join ${installedVersions} on ${installedVersions.deviceId} = t.device_id
      and ${installedVersions.component} = ${run.component}
    where t.air_blast_id = ${run.id} and t.revision = ${run.revision} and t.device_id = ${deviceId}
      and ${deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']), device)}`);
  const raw = rows[0] as unknown as Omit<TargetReasonFacts, 'run'> | undefined;
  if (raw === undefined) throw new PortalError('deviceNotFound', { facts: { device: deviceId } });
  return { ...raw, run, connectivitySince: isoOrNull(raw.connectivitySince) };
}
