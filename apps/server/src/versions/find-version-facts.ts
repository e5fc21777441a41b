import { sql } from 'drizzle-orm';
import type { Connectivity, DeviceLifecycle, TavState } from '@deviceportal/contract/states';
import { findDevice } from '../devices/find-device.ts';
import type { Database } from '../platform/database/database.ts';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { nearestApproval } from './software-store.ts';

/** What is known of a device and one component of it that is not on what is approved. Moments as ISO 8601. */
export interface VersionFacts {
  readonly component: string;
  readonly installed: string;
  readonly state: TavState;
  readonly since: string | null;
  readonly reportedAt: string | null;
  readonly approved: string | null;
  readonly approvedAt: string | null;
  readonly mandatoryFrom: string | null;
  /** Null: the approved version has no file that devices could install. */
  readonly artefactSha256: string | null;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly model: string | null;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle: DeviceLifecycle;
  readonly connectivity: Connectivity | null;
  readonly connectivitySince: string | null;
  readonly disconnectReason: string | null;
  readonly instanceId: string | null;
  /** Commands for the device that have not ended. */
  readonly waiting: number;
}

/** The components of a device that are not on what is approved for it. @throws PortalError 6000 */
export async function findVersionFacts(
  { database }: { readonly database: Database },
  viewer: Viewer,
  deviceId: string,
): Promise<readonly VersionFacts[]> {
  const id = await findDevice(database.orm, viewer, {
    reference: deviceId,
    permissions: ['versions:read'],
  });
  const approval = nearestApproval({
    component: sql`v.component`,
    model: sql`coalesce(d.model, '')`,
    country: sql`coalesce(d.country, '')`,
  });
  const { rows } = await database.orm.execute(sql`
    select v.component, v.version as installed, v.since, v.reported_at as "reportedAt", c.state, a.version as approved,
      a.approved_at as "approvedAt", a.mandatory_from as "mandatoryFrom", known.artefact_sha256 as "artefactSha256",
      d.id as "deviceId", coalesce(d.serial_number, d.name) as "deviceName", d.model, d.country, d.labels, d.lifecycle,
      s.connectivity, s.connectivity_since as "connectivitySince", s.disconnect_reason as "disconnectReason",
      s.instance_id as "instanceId",
      (select count(*)::int from invocation i where i.device_id = d.id and i.ended_at is null) as waiting
    from device d
    join device_version v on v.device_id = d.id
    join version_cell c on c.component = v.component and c.version = v.version
      and c.model = coalesce(d.model, '') and c.country = coalesce(d.country, '')
    left join device_status s on s.device_id = d.id
    left join lateral (${approval}) a on true
    left join software_version known on known.component = v.component and known.version = a.version
    where d.id = ${id} and c.state is not null and c.state <> 'current' and d.lifecycle <> 'retired'
    order by v.component`);
  return (rows as unknown as VersionFacts[]).map((row) => ({
    ...row,
    since: isoOrNull(row.since),
    reportedAt: isoOrNull(row.reportedAt),
    approvedAt: isoOrNull(row.approvedAt),
    mandatoryFrom: isoOrNull(row.mandatoryFrom),
    connectivitySince: isoOrNull(row.connectivitySince),
  }));
}
