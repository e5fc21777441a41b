import { sql } from 'drizzle-orm';
import { serialNumberSchema } from '@deviceportal/contract/ids';
import type { Transaction } from '../platform/database/database.ts';
import { refreshDeviceCopies } from './device-copies-store.ts';

/** What a device says it is. The fields are those of the journal's inventory entry. */
export interface InventoryRow {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly at: Date;
  readonly platformType: string;
  readonly platformName: string;
  readonly platformVersion: string;
  readonly architecture: string;
  readonly agentVersion: string;
  readonly hostName: string;
  readonly ipAddress: string | null;
  readonly serialNumber: string | null;
  readonly model: string | null;
  readonly hardwareRevision: string | null;
  readonly timeZone: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A device of which something on record changed: which fields, with their new values and the old ones. */
export interface InventoryChange {
  readonly deviceId: string;
  readonly changed: Readonly<Record<string, string | null>>;
  readonly before: Readonly<Record<string, string | null>>;
}

/**
 * Inventories of many devices. A serial number and a model on record are kept: what a device says only fills gaps,
 * and never takes the serial number of another. The hardware revision is the device's to say.
 */
export async function applyInventory(
  tx: Transaction,
  rows: readonly InventoryRow[],
): Promise<InventoryChange[]> {
  if (rows.length === 0) return [];
  const newest = new Map(rows.map((row) => [row.deviceId, row]));
  const input = JSON.stringify([...newest.values()].map(toInput));
  await writeInstances(tx, input);
  const answer = await tx.execute<{
    device_id: string;
    changed: Record<string, string | null>;
    old: Record<string, string | null>;
  }>(sql`
    with i as materialized (select * from jsonb_to_recordset(${input}::jsonb) as i(
      device_id uuid, serial text, model text, hardware_revision text, time_zone text)),
    free as (
      select distinct on (i.serial) i.device_id, i.serial from i
      where i.serial is not null and not exists (select from device d where d.serial_number = i.serial)
      order by i.serial, i.device_id),
    held as materialized (
      select d.id, d.serial_number, d.model, d.hardware_revision, d.time_zone
      from device d join i on i.device_id = d.id order by d.id for update of d),
    fresh as (
      select held.id, coalesce(held.serial_number, free.serial) as serial_number,
             coalesce(held.model, i.model) as model,
             coalesce(i.hardware_revision, held.hardware_revision) as hardware_revision,
             coalesce(held.time_zone, i.time_zone) as time_zone,
             held.serial_number as old_serial_number, held.model as old_model,
             held.hardware_revision as old_hardware_revision, held.time_zone as old_time_zone
      from held join i on i.device_id = held.id left join free on free.device_id = held.id)
    update device d
    set serial_number = fresh.serial_number, serial_rank = coalesce(fresh.serial_number, d.serial_rank),
        model = fresh.model, hardware_revision = fresh.hardware_revision, time_zone = fresh.time_zone,
        updated_at = portal_now()
    from fresh where d.id = fresh.id
      and (d.serial_number, d.model, d.hardware_revision, d.time_zone) is distinct from
          (fresh.serial_number, fresh.model, fresh.hardware_revision, fresh.time_zone)
    returning d.id as device_id,
      case when fresh.old_serial_number is distinct from d.serial_number
        then jsonb_build_object('serialNumber', d.serial_number) else '{}' end
      || case when fresh.old_model is distinct from d.model then jsonb_build_object('model', d.model) else '{}' end
      || case when fresh.old_hardware_revision is distinct from d.hardware_revision
        then jsonb_build_object('hardwareRevision', d.hardware_revision) else '{}' end
      || case when fresh.old_time_zone is distinct from d.time_zone
        then jsonb_build_object('timeZone', d.time_zone) else '{}' end as changed,
      jsonb_build_object('serialNumber', fresh.old_serial_number, 'model', fresh.old_model,
        'hardwareRevision', fresh.old_hardware_revision, 'timeZone', fresh.old_time_zone) as old`);
  const changes = answer.rows.map(({ device_id: deviceId, changed, old }) => ({
    deviceId,
    changed,
    before: Object.fromEntries(Object.keys(changed).map((field) => [field, old[field] ?? null])),
  }));
  await refreshDeviceCopies(
    tx,
    changes.map((change) => change.deviceId),
  );
  return changes;
}

async function writeInstances(tx: Transaction, input: string): Promise<void> {
  await tx.execute(sql`
    update device_instance n
    set platform_type = i.platform_type, platform_name = i.platform_name, platform_version = i.platform_version,
        architecture = i.architecture, agent_version = i.agent_version, host_name = i.host_name,
        ip_address = i.ip_address
    from jsonb_to_recordset(${input}::jsonb) as i(device_id uuid, instance_id text, platform_type text,
      platform_name text, platform_version text, architecture text, agent_version text, host_name text, ip_address text)
    where n.id = i.instance_id and n.device_id = i.device_id`);
  await tx.execute(sql`
    update device_status s
    set platform = i.platform_type, agent_version = i.agent_version,
        ip_address = coalesce(i.ip_address, s.ip_address)
    from (select i.* from jsonb_to_recordset(${input}::jsonb) as i(
      device_id uuid, platform_type text, agent_version text, ip_address text)
      join device_status held on held.device_id = i.device_id order by i.device_id for update of held) i
    where s.device_id = i.device_id`);
  await tx.execute(sql`
    insert into device_inventory as old (device_id, at, data)
    select device_id, at, data from jsonb_to_recordset(${input}::jsonb) as i(device_id uuid, at timestamptz, data jsonb)
    on conflict (device_id) do update set at = excluded.at, data = excluded.data where old.at <= excluded.at`);
}

function toInput(row: InventoryRow) {
  const serial = serialNumberSchema.safeParse(row.serialNumber);
  return {
    device_id: row.deviceId,
    instance_id: row.instanceId,
    at: row.at.toISOString(),
    platform_type: row.platformType,
    platform_name: row.platformName,
    platform_version: row.platformVersion,
    architecture: row.architecture,
    agent_version: row.agentVersion,
    host_name: row.hostName,
    ip_address: row.ipAddress,
    serial: serial.success ? serial.data : null,
    model: row.model === '' ? null : row.model,
    hardware_revision: row.hardwareRevision,
    time_zone: row.timeZone,
    data: row.details,
  };
}
