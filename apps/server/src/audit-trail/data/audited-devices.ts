import { sql, type SQL } from 'drizzle-orm';
import { arrayOf } from '../../platform/database/rows-of.ts';

interface AuditedDevice {
  readonly deviceId: string;
  readonly invocationId: string;
}

/** Devices that are already in memory, as a query for `recordAuditForDevices`. */
export const auditedDevices = (devices: readonly AuditedDevice[]): SQL => sql`
  select device_id, jsonb_build_object('invocationId', invocation_id) as own from unnest(
    ${arrayOf(
      'uuid',
      devices.map(({ deviceId }) => deviceId),
    )},
    ${arrayOf(
      'uuid',
      devices.map(({ invocationId }) => invocationId),
    )}) as given(device_id, invocation_id)`;
