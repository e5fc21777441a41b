import { sql } from 'drizzle-orm';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { notify } from './notify.ts';

interface Waited {
  readonly userId: string;
  readonly deviceId: string;
  readonly device: string;
  readonly createdAt: string;
}

/** Tells those who asked that devices are back; each asking is answered once, since the connection ends it. */
export async function notifyDevicesBack(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<Change[]> {
  if (deviceIds.length === 0) return [];
  const { rows } = await tx.execute(sql`
    delete from device_wait w using device d
    where w.device_id = any(${sql.param([...deviceIds])}::uuid[]) and d.id = w.device_id
    returning w.user_id as "userId", w.device_id as "deviceId", coalesce(d.serial_number, d.name) as device,
      w.created_at::text as "createdAt"`);
  return notify(
    tx,
    (rows as unknown as Waited[]).map(({ userId, deviceId, device, createdAt }) => ({
      userId,
      kind: 'device-back',
      // Asked for again another time, it is told again.
      subject: `device:${deviceId}:${createdAt}`,
      facts: { deviceId, device },
    })),
  );
}
