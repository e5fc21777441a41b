import { sql } from 'drizzle-orm';
import type { DeviceInstance, SoftwareComponent } from '@deviceportal/contract/devices';
import type { PlaceRecord } from '../locations/place-for.ts';
import type { Executor } from '../platform/database/database.ts';
import { checksSignatures } from './checks-signatures.ts';
import { isoMoment, requiredIsoMoment } from './list/moment-text.ts';

/** How the last command on a device ended. */
export interface LastInvocation {
  readonly id: string;
  readonly command: string;
  readonly state: string;
  readonly statusDetails: string;
  readonly responseCode: number | null;
  readonly endedAt: string | null;
}

export interface DeviceFacts {
  readonly timeZone: string | null;
  readonly updatedAt: string;
  readonly instances: readonly DeviceInstance[];
  readonly software: readonly SoftwareComponent[];
  readonly inventory: Readonly<Record<string, unknown>> | null;
  readonly inventoryAt: string | null;
  readonly diskUsedPercent: number | null;
  readonly memoryUsedPercent: number | null;
  readonly uptimeSeconds: number | null;
  readonly place: PlaceRecord | null;
  readonly lastInvocation: LastInvocation | null;
}

interface FactsRow extends Record<string, unknown> {
  readonly time_zone: string | null;
  readonly updated_at: string;
  readonly disk_used_percent: number | null;
  readonly memory_used_percent: number | null;
  readonly uptime_seconds: number | null;
  readonly inventory: Record<string, unknown> | null;
  readonly inventory_at: string | null;
  readonly instances: (Omit<DeviceInstance, 'enrolledAt' | 'lastPingAt' | 'certificateEndsAt'> & {
    readonly enrolledAt: string;
    readonly lastPingAt: string | null;
    readonly certificateEndsAt: string;
  })[];
  readonly software: SoftwareComponent[];
  readonly place: PlaceRecord | null;
  readonly last_invocation: LastInvocation | null;
}

/** What a device's own screen shows beyond its row, in one statement. Instances come newest first. */
export async function loadDeviceFacts(on: Executor, deviceId: string): Promise<DeviceFacts> {
  const found = await on.execute<FactsRow>(sql`
    select d.time_zone, d.updated_at, s.disk_used_percent, s.memory_used_percent, s.uptime_seconds,
      i.data as inventory, i.at as inventory_at,
      coalesce((select jsonb_agg(jsonb_build_object(
          'id', n.id, 'state', n.state, 'platformType', n.platform_type, 'platformName', n.platform_name,
          'platformVersion', n.platform_version, 'architecture', n.architecture, 'agentVersion', n.agent_version,
          'checksSignatures', case when n.state = 'current' then ${checksSignatures(sql`n`, sql`s`)} end,
          'hostName', n.host_name, 'ipAddress', n.ip_address, 'enrolledAt', n.enrolled_at,
          'lastPingAt', case when n.state = 'current' then greatest(s.heartbeat_at, s.last_seen_at, n.last_ping_at)
            else n.last_ping_at end,
          'certificateFingerprint', n.certificate_fingerprint, 'certificateEndsAt', n.certificate_ends_at)
          order by n.enrolled_at desc)
        from (select * from device_instance where device_id = d.id order by enrolled_at desc limit 50) n), '[]') as instances,
      coalesce((select jsonb_agg(jsonb_build_object('component', v.component, 'version', v.version,
          'since', v.since, 'reportedAt', v.reported_at, 'tavState', c.state) order by v.component)
        from device_version v
        left join version_cell c on c.component = v.component and c.version = v.version
          and c.model = coalesce(d.model, '') and c.country = coalesce(d.country, '') and d.lifecycle <> 'retired'
        where v.device_id = d.id), '[]') as software,
      (select jsonb_build_object('at', l.at, 'latitude', l.latitude, 'longitude', l.longitude,
          'accuracyMeters', l.accuracy_meters, 'source', l.source, 'country', l.country)
        from device_location l where l.device_id = d.id) as place,
      (select jsonb_build_object('id', v.id, 'command', r.command, 'state', v.state, 'statusDetails', v.status_details,
          'responseCode', v.response_code, 'endedAt', v.ended_at)
        from invocation v join command_run r on r.id = v.run_id
        where v.device_id = d.id and v.ended_at is not null order by v.queued_at desc, v.id desc limit 1) as last_invocation
    from device d
    left join device_status s on s.device_id = d.id
    left join device_inventory i on i.device_id = d.id
    where d.id = ${deviceId}`);
  const row = found.rows[0];
  if (row === undefined) throw new Error('the device vanished while it was read');
  return toFacts(row);
}

function toFacts(row: FactsRow): DeviceFacts {
  return {
    timeZone: row.time_zone,
    updatedAt: requiredIsoMoment(row.updated_at),
    instances: row.instances.map((instance) => ({
      ...instance,
      enrolledAt: requiredIsoMoment(instance.enrolledAt),
      lastPingAt: isoMoment(instance.lastPingAt),
      certificateEndsAt: requiredIsoMoment(instance.certificateEndsAt),
    })),
    software: row.software.map((item) => ({
      ...item,
      since: requiredIsoMoment(item.since),
      reportedAt: requiredIsoMoment(item.reportedAt),
    })),
    inventory: row.inventory,
    inventoryAt: isoMoment(row.inventory_at),
    diskUsedPercent: row.disk_used_percent,
    memoryUsedPercent: row.memory_used_percent,
    uptimeSeconds: row.uptime_seconds,
    place: row.place === null ? null : { ...row.place, at: requiredIsoMoment(row.place.at) },
    lastInvocation:
      row.last_invocation === null
        ? null
        : { ...row.last_invocation, endedAt: isoMoment(row.last_invocation.endedAt) },
  };
}
