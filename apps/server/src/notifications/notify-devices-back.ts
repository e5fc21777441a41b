import { sql } from 'drizzle-orm';
import { reaches } from '@deviceportal/contract/permissions';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { deviceRecords } from '../devices/data/device-records.ts';
import { findPeopleHolding } from '../access/data/people-holding.ts';
import { notify } from './notify.ts';

interface Waited {
  readonly userId: string;
  readonly deviceId: string;
  readonly device: string;
  readonly createdAt: string;
  readonly country: string | null;
  readonly model: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Tells those who asked that devices are back; each asking is answered once, since the connection ends it. Who does
 * not reach the device any more is not told: it does not exist for them.
 */
export async function notifyDevicesBack(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<Change[]> {
  if (deviceIds.length === 0) return [];
  const { rows } = await tx.execute(sql`
    delete from device_wait w using ${deviceRecords}
    where w.device_id = any(${sql.param([...deviceIds])}::uuid[]) and ${deviceRecords.deviceId} = w.device_id
    returning w.user_id as "userId", w.device_id as "deviceId", coalesce(${deviceRecords.serialNumber}, ${deviceRecords.name}) as device,
      w.created_at::text as "createdAt", ${deviceRecords.country}, ${deviceRecords.model}, ${deviceRecords.labels}`);
  const waited = await inReach(tx, rows as unknown as Waited[]);
  return notify(
    tx,
    waited.map(({ userId, deviceId, device, createdAt }) => ({
      userId,
      kind: 'device-back',
      // Asked for again another time, it is told again.
      subject: `device:${deviceId}:${createdAt}`,
      facts: { deviceId, device },
    })),
  );
}

async function inReach(tx: Transaction, waited: readonly Waited[]): Promise<readonly Waited[]> {
  if (waited.length === 0) return [];
  const people = [...new Set(waited.map(({ userId }) => userId))];
  const holders = await findPeopleHolding(tx, 'devices:read', people);
  const scopesOf = new Map(holders.map(({ userId, scopes }) => [userId, scopes]));
  return waited.filter((one) => reaches(scopesOf.get(one.userId) ?? [], one));
}
