import { and, eq, exists, is, SQL, sql, type SQLWrapper } from 'drizzle-orm';
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
 * Whether the agent of a current instance checks the signature of a run; null until it has connected and said so.
 *
 * @param instance its row in `device_instance`
 * @param status its device's row in `device_status`
 */
export function checksSignatures(
  instance: CheckingInstance | SQL,
  status: SeenStatus | SQL,
): SQL<boolean | null> {
  const { runKeyIds, lastPingAt, enrolledAt } = is(instance, SQL) ? instanceOf(instance) : instance;
  const { heartbeatAt, lastSeenAt } = is(status, SQL) ? statusOf(status) : status;
  return sql<boolean | null>`
    case when cardinality(${runKeyIds}) > 0 then true
         when greatest(${heartbeatAt}, ${lastSeenAt}, ${lastPingAt}) >= ${enrolledAt} then false end`;
}

/** For statements that are not built from the schema yet. */
const instanceOf = (alias: SQL): CheckingInstance => ({
  runKeyIds: sql`${alias}.run_key_ids`,
  lastPingAt: sql`${alias}.last_ping_at`,
  enrolledAt: sql`${alias}.enrolled_at`,
});

const statusOf = (alias: SQL): SeenStatus => ({
  heartbeatAt: sql`${alias}.heartbeat_at`,
  lastSeenAt: sql`${alias}.last_seen_at`,
});

/** Whether the agent of a device has connected and does not check the signature of a run. */
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
