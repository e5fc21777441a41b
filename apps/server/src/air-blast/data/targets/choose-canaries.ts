import { and, asc, eq, sql } from 'drizzle-orm';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { PlanKey } from '../air-blast-record.ts';
import { airBlastTarget } from '../air-blast-tables.ts';
import { isReady, isTargetOf } from './target-conditions.ts';

/** Marks this many ready devices, spread over the models. The choice is always the same for the same devices. */
export async function chooseCanaries(
  tx: Transaction,
  plan: PlanKey,
  count: number,
): Promise<string[]> {
  const { deviceId } = airBlastTarget;
  const ranked = tx.$with('ranked').as(
    tx
      .select({
        id: sql<string>`${deviceId}`.as('ranked_id'),
        place: sql<number>`row_number() over (
          partition by ${deviceRecords.model} order by md5(${deviceId}::text))`.as('place'),
      })
      .from(airBlastTarget)
      .innerJoin(deviceRecords, eq(deviceRecords.deviceId, deviceId))
      .where(and(isTargetOf(plan), isReady)),
  );
  const chosen = tx.$with('chosen').as(
    tx
      .select({ id: ranked.id })
      .from(ranked)
      .orderBy(asc(ranked.place), sql`md5(${ranked.id}::text)`)
      .limit(count),
  );
  const rows = await tx
    .with(ranked, chosen)
    .update(airBlastTarget)
    .set({ canary: true })
    .from(chosen)
    .where(and(isTargetOf(plan), eq(deviceId, chosen.id)))
    .returning({ id: deviceId });
  return rows.map(({ id }) => id).toSorted();
}
