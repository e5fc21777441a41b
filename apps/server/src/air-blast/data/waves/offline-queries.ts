import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { deviceInvocations } from '../../../commands/data/device-invocations.ts';
import { deviceConnections } from '../../../devices/data/device-connections.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { StepAttempt } from '../air-blast-record.ts';
import { airBlastWave } from '../air-blast-tables.ts';
import { isWaveOf } from './is-wave-of.ts';

/** Invocations of open waves that are queued because their devices are offline. */
const queuedForOffline = (on: Executor, attempt: StepAttempt) =>
  on
    .select({ invocationId: deviceInvocations.invocationId })
    .from(airBlastWave)
    .innerJoin(deviceInvocations, eq(deviceInvocations.runId, airBlastWave.runId))
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, deviceInvocations.deviceId))
    .where(
      and(
        isWaveOf(attempt),
        isNull(airBlastWave.endedAt),
        isNull(deviceInvocations.endedAt),
        inArray(deviceInvocations.state, ['Pending', 'Delayed']),
        sql`coalesce(${deviceConnections.connectivity}, 'never') not in ('online', 'degraded')`,
      ),
    );

/** The number of offline devices that a running step waits for. */
export async function countQueuedForOffline(on: Executor, attempt: StepAttempt): Promise<number> {
  const [found] = await on
    .select({ count: sql<number>`count(*)::int` })
    .from(queuedForOffline(on, attempt).as('queued'));
  return found?.count ?? 0;
}

/** The IDs of their invocations. */
export async function selectQueuedForOffline(
  on: Executor,
  attempt: StepAttempt,
): Promise<string[]> {
  const rows = await queuedForOffline(on, attempt).orderBy(asc(deviceInvocations.invocationId));
  return rows.map(({ invocationId }) => invocationId);
}
