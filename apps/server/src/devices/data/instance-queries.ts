import { and, eq, exists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { InstanceState } from '@deviceportal/contract/states';
import type { Transaction } from '../../platform/database/database.ts';
import { deviceInstance, deviceStatus } from './devices-tables.ts';

export const hasCurrentInstance = (deviceId: SQLWrapper): SQL<boolean> =>
  sql<boolean>`${exists(
    new QueryBuilder()
      .select({ id: deviceInstance.id })
      .from(deviceInstance)
      .where(and(eq(deviceInstance.deviceId, deviceId), eq(deviceInstance.state, 'current'))),
  )}`;

/** The current agent of a device and its certificate. */
export async function findCurrentInstance(tx: Transaction, deviceId: string) {
  const [found] = await tx
    .select({
      instanceId: deviceInstance.id,
      fingerprint: deviceInstance.certificateFingerprint,
      startsAt: deviceInstance.certificateStartsAt,
    })
    .from(deviceInstance)
    .where(and(eq(deviceInstance.deviceId, deviceId), eq(deviceInstance.state, 'current')));
  return found;
}

/**
 * Ends the current instance of a device.
 * @returns its ID; null if there is none
 */
export async function endCurrentInstance(
  tx: Transaction,
  deviceId: string,
  state: Exclude<InstanceState, 'current'>,
): Promise<string | null> {
  const lastSeenAt = tx
    .select({ at: deviceStatus.lastSeenAt })
    .from(deviceStatus)
    .where(eq(deviceStatus.deviceId, deviceInstance.deviceId));
  const [ended] = await tx
    .update(deviceInstance)
    .set({ state, lastPingAt: sql`coalesce((${lastSeenAt}), ${deviceInstance.lastPingAt})` })
    .where(and(eq(deviceInstance.deviceId, deviceId), eq(deviceInstance.state, 'current')))
    .returning({ id: deviceInstance.id });
  return ended?.id ?? null;
}

export async function insertInstance(
  tx: Transaction,
  made: Omit<typeof deviceInstance.$inferInsert, 'state'>,
): Promise<void> {
  await tx.insert(deviceInstance).values({ ...made, state: 'current' });
}

/** Updates the instance data in the status of a device; null if it has no instance. */
export async function updateRunningInstance(
  tx: Transaction,
  deviceId: string,
  running: Pick<typeof deviceStatus.$inferInsert, 'instanceId' | 'agentVersion' | 'platform'>,
): Promise<void> {
  await tx.update(deviceStatus).set(running).where(eq(deviceStatus.deviceId, deviceId));
}
