import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { deviceInvocations } from '../../commands/data/device-invocations.ts';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AirBlastRecord } from '../air-blast-store.ts';
import { airBlastWave } from './air-blast-tables.ts';

type Attempt = Pick<AirBlastRecord, 'id' | 'revision' | 'step' | 'attempt'>;

/** Invocations of the stages under way that are queued because their devices are offline. */
const queuedForOffline = (on: Executor, { id, revision, step, attempt }: Attempt) =>
  on
    .select({ invocationId: deviceInvocations.invocationId })
    .from(airBlastWave)
    .innerJoin(deviceInvocations, eq(deviceInvocations.runId, airBlastWave.runId))
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, deviceInvocations.deviceId))
    .where(
      and(
        eq(airBlastWave.airBlastId, id),
        eq(airBlastWave.revision, revision),
        eq(airBlastWave.step, step),
        eq(airBlastWave.attempt, attempt),
        isNull(airBlastWave.endedAt),
        isNull(deviceInvocations.endedAt),
        inArray(deviceInvocations.state, ['Pending', 'Delayed']),
        sql`coalesce(${deviceConnections.connectivity}, 'never') not in ('online', 'degraded')`,
      ),
    );

/** How many offline devices the step under way waits for. */
export async function countAway(on: Executor, run: Attempt): Promise<number> {
  const [found] = await on
    .select({ count: sql<number>`count(*)::int` })
    .from(queuedForOffline(on, run).as('queued'));
  return found?.count ?? 0;
}

/** Their invocations. */
export async function selectAway(on: Executor, run: Attempt): Promise<string[]> {
  const rows = await queuedForOffline(on, run).orderBy(asc(deviceInvocations.invocationId));
  return rows.map(({ invocationId }) => invocationId);
}
