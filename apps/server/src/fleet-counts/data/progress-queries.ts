import { asc, gt, sql } from 'drizzle-orm';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { changedFinding, countedDevice, fleetCountProgress } from './fleet-counts-tables.ts';

export type FleetCountProgress = Omit<typeof fleetCountProgress.$inferSelect, 'id'>;

export async function loadFleetCountProgress(
  on: Executor,
): Promise<FleetCountProgress | undefined> {
  const { sealedUpTo, sweptTo, sweepEndedAt, oldRank, oldId, countedTo } = fleetCountProgress;
  const [progress] = await on
    .select({ sealedUpTo, sweptTo, sweepEndedAt, oldRank, oldId, countedTo })
    .from(fleetCountProgress);
  return progress;
}

export async function saveFleetCountProgress(
  tx: Transaction,
  progress: FleetCountProgress,
): Promise<void> {
  await tx
    .insert(fleetCountProgress)
    .values({ id: 1, ...progress })
    .onConflictDoUpdate({ target: fleetCountProgress.id, set: progress });
}

/** Removes devices whose findings changed from the queue. */
export async function takeChangedFindings(tx: Transaction, limit: number): Promise<string[]> {
  const first = tx
    .select({ id: changedFinding.id })
    .from(changedFinding)
    .orderBy(changedFinding.id)
    .limit(limit);
  const taken = await tx
    .delete(changedFinding)
    .where(sql`${changedFinding.id} = any(array${first})`)
    .returning({ deviceId: changedFinding.deviceId });
  return taken.map((row) => row.deviceId);
}

/** The next devices by ID, of those that exist and of those that are counted. */
export async function devicesToCountAfter(
  on: Executor,
  id: string,
  limit: number,
): Promise<string[]> {
  const { deviceId } = deviceConnections;
  const next = sql.join(
    [
      on
        .select({ id: sql<string>`${deviceId}`.as('next_id') })
        .from(deviceConnections)
        .where(gt(deviceId, id))
        .orderBy(asc(deviceId))
        .limit(limit),
      on
        .select({ id: sql<string>`${countedDevice.deviceId}`.as('next_id') })
        .from(countedDevice)
        .where(gt(countedDevice.deviceId, id))
        .orderBy(asc(countedDevice.deviceId))
        .limit(limit),
    ].map((part) => sql`(${part})`),
    sql` union `,
  );
  const rows = await on
    .select({ id: sql<string>`next_id` })
    .from(sql`(${next}) next`)
    .orderBy(sql`next_id`)
    .limit(limit);
  return rows.map((row) => row.id);
}

export interface SeenPosition {
  readonly oldRank: string;
  readonly oldId: string;
}

/** The next offline devices by the time when they were last seen, up to a moment. */
export async function offlineDevicesSeen(
  on: Executor,
  {
    after,
    before,
    limit,
  }: { readonly after: SeenPosition; readonly before: Date; readonly limit: number },
): Promise<SeenPosition[]> {
  const { deviceId, connectivity, seenRank } = deviceConnections;
  return on
    .select({ oldRank: sql<string>`${seenRank}::text`, oldId: deviceId })
    .from(deviceConnections)
    .where(
      sql`${connectivity} = 'offline' and ${seenRank} < ${before.toISOString()}::timestamptz
        and (${seenRank}, ${deviceId}) > (${after.oldRank}::timestamptz, ${after.oldId}::uuid)`,
    )
    .orderBy(asc(seenRank), asc(deviceId))
    .limit(limit);
}
