import { count, eq } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { refreshDeviceCopies } from './refresh-device-copies.ts';
import { claim, device } from './devices-tables.ts';

/** Removes the owner from all devices of a person. Returns the device IDs. */
export async function releaseDevices(tx: Transaction, personId: string): Promise<string[]> {
  const rows = await tx
    .update(device)
    .set({ ownerId: null })
    .where(eq(device.ownerId, personId))
    .returning({ id: device.id });
  await tx.update(claim).set({ ownerId: null }).where(eq(claim.ownerId, personId));
  const ids = rows.map(({ id }) => id);
  await refreshDeviceCopies(tx, ids);
  return ids;
}

export async function findDeviceIdsOf(on: Executor, personId: string): Promise<string[]> {
  const rows = await on.select({ id: device.id }).from(device).where(eq(device.ownerId, personId));
  return rows.map(({ id }) => id);
}

export async function countDevicesOf(on: Executor, personIds: readonly string[]): Promise<number> {
  const [found] = await on
    .select({ devices: count() })
    .from(device)
    .where(isAnyOf(device.ownerId, personIds));
  return found?.devices ?? 0;
}

/** The devices of a person, for the person's record. */
export const deviceRowsOf = (personId: string) => [
  { table: device, where: eq(device.ownerId, personId) },
];
