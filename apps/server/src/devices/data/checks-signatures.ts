import { and, eq, exists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceInstance, deviceStatus } from './devices-tables.ts';

interface CheckingInstance {
  readonly runKeyIds: SQLWrapper;
  readonly lastPingAt: SQLWrapper;
  readonly enrolledAt: SQLWrapper;
}

interface SeenStatus {
  readonly heartbeatAt: SQLWrapper;
  readonly lastSeenAt: SQLWrapper;
}

/**
 * Whether the agent of a current instance verifies the signatures of runs; null until it has reported it.
 *
 * @param instance its row in `device_instance`
 * @param status its device's row in `device_status`
 */
export const checksSignatures = (
  { runKeyIds, lastPingAt, enrolledAt }: CheckingInstance,
  { heartbeatAt, lastSeenAt }: SeenStatus,
): SQL<boolean | null> => sql<boolean | null>`
  case when cardinality(${runKeyIds}) > 0 then true
       when greatest(${heartbeatAt}, ${lastSeenAt}, ${lastPingAt}) >= ${enrolledAt} then false end`;

/** Whether the agent of a device has connected and does not verify the signatures of runs. */
export const runsUnchecked = (deviceId: SQLWrapper): SQL =>
  exists(
    new QueryBuilder()
      .select({ id: deviceInstance.id })
      .from(deviceInstance)
      .leftJoin(deviceStatus, eq(deviceStatus.deviceId, deviceInstance.deviceId))
      .where(
        and(
          eq(deviceInstance.deviceId, deviceId),
          eq(deviceInstance.state, 'current'),
          sql`${checksSignatures(deviceInstance, deviceStatus)} is false`,
        ),
      ),
  );
