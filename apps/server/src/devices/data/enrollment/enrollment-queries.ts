import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database/database.ts';
import { device } from '../devices-tables.ts';

export type EnrollingDevice = NonNullable<Awaited<ReturnType<typeof lockDevice>>>;

const columns = {
  id: device.id,
  name: device.name,
  serialNumber: device.serialNumber,
  model: device.model,
  country: device.country,
  labels: device.labels,
  lifecycle: device.lifecycle,
  engine: device.engine,
};

async function lockDevice(tx: Transaction, where: SQL) {
  const [found] = await tx.select(columns).from(device).where(where).for('update');
  return found;
}

/** Locked until the transaction ends. */
export const lockDeviceById = (tx: Transaction, id: string) => lockDevice(tx, eq(device.id, id));

export const lockDeviceBySerial = (tx: Transaction, serialNumber: string) =>
  lockDevice(tx, eq(device.serialNumber, serialNumber));

/** Undefined if another device has the serial number. */
export async function insertPendingDevice(
  tx: Transaction,
  made: Omit<typeof device.$inferInsert, 'lifecycle'>,
): Promise<EnrollingDevice | undefined> {
  const [inserted] = await tx
    .insert(device)
    .values({ ...made, lifecycle: 'pending' })
    .onConflictDoNothing({ target: device.serialNumber })
    .returning(columns);
  return inserted;
}

export async function activatePending(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx
    .update(device)
    .set({ lifecycle: 'active', updatedAt: at })
    .where(and(eq(device.id, id), eq(device.lifecycle, 'pending')));
}

/** Attributes that scopes use, and the owner. */
export async function findKindOf(tx: Transaction, id: string) {
  const { model, ownerId, country, labels } = device;
  const [found] = await tx
    .select({ model, ownerId, country, labels })
    .from(device)
    .where(eq(device.id, id));
  return found ?? { model: null, ownerId: null, country: null, labels: {} };
}

/** Devices with a label that have not been enrolled yet. */
export async function findPendingDevices(
  tx: Transaction,
  label: Readonly<Record<string, string>>,
): Promise<string[]> {
  const rows = await tx
    .select({ id: device.id })
    .from(device)
    .where(
      and(
        eq(device.lifecycle, 'pending'),
        sql`${device.labels} @> ${JSON.stringify(label)}::jsonb`,
      ),
    );
  return rows.map((row) => row.id);
}
