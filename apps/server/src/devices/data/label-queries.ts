import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { portalNow } from '../../platform/columns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { device } from './devices-tables.ts';

export type LabelsOfDevice = Pick<typeof device.$inferSelect, 'id' | 'labels'>;

/** Labels of those of the devices that are not retired, locked until the transaction ends. */
export function lockLabels(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<LabelsOfDevice[]> {
  return tx
    .select({ id: device.id, labels: device.labels })
    .from(device)
    .where(and(isAnyOf(device.id, deviceIds), ne(device.lifecycle, 'retired')))
    .orderBy(asc(device.id))
    .for('update');
}

/** Call `refreshDeviceCopies` after it. */
export async function writeLabels(tx: Transaction, rows: readonly LabelsOfDevice[]): Promise<void> {
  if (rows.length === 0) return;
  const given = alias(device, 'given');
  await tx
    .update(device)
    .set({ labels: sql`${given.labels}`, updatedAt: portalNow })
    .from(rowsFor(given, ['id', 'labels'], rows))
    .where(eq(device.id, given.id));
}
