import { and, eq, sql, type SQLWrapper, type Subquery } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { deviceStatus } from './devices-tables.ts';

/** Locks the statuses of devices until the transaction ends, in the order of their IDs. */
export async function lockStatuses(tx: Transaction, deviceIds: readonly string[]): Promise<void> {
  await tx
    .select({ deviceId: deviceStatus.deviceId })
    .from(deviceStatus)
    .where(isAnyOf(deviceStatus.deviceId, deviceIds))
    .orderBy(deviceStatus.deviceId)
    .for('no key update');
}

/** Copies the version that device lists show. */
export async function copyMainVersions(
  tx: Transaction,
  main: Subquery & { readonly deviceId: SQLWrapper; readonly version: SQLWrapper },
): Promise<void> {
  await tx
    .update(deviceStatus)
    .set({ softwareVersion: sql`${main.version}` })
    .from(main)
    .where(
      and(
        eq(deviceStatus.deviceId, main.deviceId),
        sql`${deviceStatus.softwareVersion} is distinct from ${main.version}`,
      ),
    );
}
