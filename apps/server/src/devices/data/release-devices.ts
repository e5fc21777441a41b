import { and, asc, count, eq, gt, sql } from 'drizzle-orm';
import type { RowWalk } from '../../personal-data/tables-of-users.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { refreshDeviceCopies } from './refresh-device-copies.ts';
import { claim, device } from './devices-tables.ts';

/** Removes the owner from devices. */
export async function releaseDevices(tx: Transaction, deviceIds: readonly string[]): Promise<void> {
  await tx.update(device).set({ ownerId: null }).where(isAnyOf(device.id, deviceIds));
  await refreshDeviceCopies(tx, deviceIds);
}

/** Removes these owners from claims. */
export const claimOwnerWalk = (personIds: readonly string[]): RowWalk => ({
  table: claim,
  matches: isAnyOf(claim.ownerId, personIds),
  set: [[claim.ownerId, sql`null`]],
});

/** The next devices of people, by ID. */
export async function findSomeDevicesOf(
  on: Executor,
  personIds: readonly string[],
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  const rows = await on
    .select({ id: device.id })
    .from(device)
    .where(
      and(isAnyOf(device.ownerId, personIds), after === null ? undefined : gt(device.id, after)),
    )
    .orderBy(asc(device.id))
    .limit(limit);
  return rows.map(({ id }) => id);
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
