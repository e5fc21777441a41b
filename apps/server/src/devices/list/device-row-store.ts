import { sql } from 'drizzle-orm';
import type { DeviceRow, FailingPart, RowFinding } from '@deviceportal/contract/devices';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import type { Connectivity, DeviceLifecycle, TavState } from '@deviceportal/contract/states';
import { byUrgency } from '../../findings/judge-findings.ts';
import { maskName } from '../../people/mask-person.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { isoMoment, requiredIsoMoment } from './moment-text.ts';
import { idArrayParam } from '../search/device-predicate.ts';

interface JoinedRow extends Record<string, unknown> {
  readonly id: string;
  readonly serial_number: string | null;
  readonly name: string;
  readonly model: string | null;
  readonly hardware_revision: string | null;
  readonly owner_id: string | null;
  readonly owner_name: string | null;
  readonly country: string | null;
  readonly labels: Record<string, string>;
  readonly lifecycle: DeviceLifecycle;
  readonly connectivity: Connectivity | null;
  readonly connectivity_since: string | null;
  readonly last_seen_at: string | null;
  readonly disconnect_reason: string | null;
  readonly failing: FailingPart[] | null;
  readonly instance_id: string | null;
  readonly agent_version: string | null;
  readonly platform: string | null;
  readonly ip_address: string | null;
  readonly software_version: string | null;
  readonly tav_state: TavState | null;
  readonly findings: RowFinding[] | null;
  readonly created_at: string;
}

/** The rows of these devices in the order of their ids; owners masked where the viewer may not see people. */
export async function loadDeviceRows(
  on: Executor,
  viewer: Viewer,
  ids: readonly string[],
): Promise<DeviceRow[]> {
  if (ids.length === 0) return [];
  const found = await on.execute<JoinedRow>(sql`
    select d.id, d.serial_number, d.name, d.model, d.hardware_revision, d.owner_id, p.name as owner_name, d.country,
      d.labels, d.lifecycle, s.connectivity, s.connectivity_since, s.last_seen_at, s.disconnect_reason, s.failing,
      s.instance_id, s.agent_version, s.platform, s.ip_address, s.software_version, d.created_at,
      nullif(s.tav_state, 'none') as tav_state,
      (select jsonb_agg(jsonb_build_object('rule', f.rule, 'severity', f.severity)) from finding f
        where f.device_id = wanted.id) as findings
    from unnest(${idArrayParam(ids)}) with ordinality as wanted(id, position)
    join device d on d.id = wanted.id
    left join device_status s on s.device_id = wanted.id
    left join person p on p.id = d.owner_id
    order by wanted.position`);
  const peopleScopes = scopesOf(viewer.grants, ['people:read']);
  return found.rows.map((row) => toDeviceRow(row, reaches(peopleScopes, row)));
}

function toDeviceRow(row: JoinedRow, maySeeOwner: boolean): DeviceRow {
  const ownerName = row.owner_name ?? '';
  return {
    id: row.id,
    serialNumber: row.serial_number,
    name: row.name,
    model: row.model,
    hardwareRevision: row.hardware_revision,
    owner:
      row.owner_id === null || row.owner_name === null
        ? null
        : { id: row.owner_id, name: maySeeOwner ? ownerName : maskName(ownerName) },
    country: row.country,
    labels: row.labels,
    lifecycle: row.lifecycle,
    connectivity: row.connectivity ?? 'never',
    connectivitySince: isoMoment(row.connectivity_since),
    lastSeenAt: isoMoment(row.last_seen_at),
    disconnectReason: row.disconnect_reason,
    failing: row.failing ?? [],
    instanceId: row.instance_id,
    agentVersion: row.agent_version,
    platform: row.platform,
    ipAddress: row.ip_address,
    softwareVersion: row.software_version,
    tavState: row.tav_state,
    findings: (row.findings ?? []).toSorted(byUrgency),
    createdAt: requiredIsoMoment(row.created_at),
  };
}
