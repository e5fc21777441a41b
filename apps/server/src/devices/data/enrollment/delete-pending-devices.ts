import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { claimDevice, device, deviceLabel, deviceStatus } from '../devices-tables.ts';

/** Deletes devices that have never been enrolled, which nothing else refers to. */
export async function deletePendingDevices(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const deleted = await tx
    .delete(device)
    .where(and(isAnyOf(device.id, ids), eq(device.lifecycle, 'pending')))
    .returning({ id: device.id });
  const gone = deleted.map(({ id }) => id);
  await tx.delete(deviceStatus).where(isAnyOf(deviceStatus.deviceId, gone));
  await tx.delete(deviceLabel).where(isAnyOf(deviceLabel.deviceId, gone));
  await tx.delete(claimDevice).where(isAnyOf(claimDevice.deviceId, gone));
}
