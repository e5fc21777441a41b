import { eq } from 'drizzle-orm';
import type { DeviceLifecycle } from '@deviceportal/contract/states';
import { portalNow } from '../../platform/columns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { device } from './devices-tables.ts';
import { hasCurrentInstance } from './instance-queries.ts';

type Device = typeof device.$inferSelect;

/** Fields of a device that users can change. */
export type EditableFields = Pick<
  Device,
  'name' | 'model' | 'hardwareRevision' | 'ownerId' | 'country' | 'timeZone' | 'labels'
>;

/** Locked until the transaction ends. */
export async function lockEditableFields(
  tx: Transaction,
  id: string,
): Promise<(EditableFields & Pick<Device, 'lifecycle'>) | undefined> {
  const [found] = await tx
    .select({
      name: device.name,
      model: device.model,
      hardwareRevision: device.hardwareRevision,
      ownerId: device.ownerId,
      country: device.country,
      timeZone: device.timeZone,
      labels: device.labels,
      lifecycle: device.lifecycle,
    })
    .from(device)
    .where(eq(device.id, id))
    .for('update');
  return found;
}

export async function updateFields(
  tx: Transaction,
  id: string,
  changes: Partial<EditableFields>,
): Promise<void> {
  await tx
    .update(device)
    .set({ ...changes, updatedAt: portalNow })
    .where(eq(device.id, id));
}

/** Locked until the transaction ends. */
export async function lockLifecycle(tx: Transaction, id: string) {
  const [found] = await tx
    .select({ lifecycle: device.lifecycle, enrolled: hasCurrentInstance(device.id) })
    .from(device)
    .where(eq(device.id, id))
    .for('update');
  return found;
}

export async function updateLifecycle(
  tx: Transaction,
  id: string,
  lifecycle: DeviceLifecycle,
): Promise<void> {
  await tx.update(device).set({ lifecycle, updatedAt: portalNow }).where(eq(device.id, id));
}
