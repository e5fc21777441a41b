import { asc, eq, lte, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { columnNames } from '../../../platform/database/column-names.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { excluded } from '../../../platform/database/excluded.ts';
import { rowsFor } from '../../../platform/database/rows-for.ts';
import { device, deviceOverflow } from '../devices-tables.ts';
import { findDeviceNames } from '../find-device-names.ts';

type Overflow = typeof deviceOverflow.$inferSelect;

const { deviceId, since, counts } = deviceOverflow;

/** Adds counts to the windows of existing devices. */
export async function addOverflow(tx: Transaction, rows: readonly Overflow[]): Promise<void> {
  const given = alias(deviceOverflow, 'given');
  await tx.execute(sql`
    insert into ${deviceOverflow} (${columnNames(deviceId, since, counts)})
    select ${device.id}, ${given.since}, ${given.counts}
    from ${rowsFor(given, ['deviceId', 'since', 'counts'], rows)} join ${device} on ${eq(device.id, given.deviceId)}
    order by ${device.id}
    on conflict (${columnNames(deviceId)}) do update set ${columnNames(counts)} = (
      select jsonb_object_agg(key, total) from (
        select key, sum(value::bigint) as total
        from (select * from jsonb_each_text(${counts}) union all select * from jsonb_each_text(${excluded(counts)})) as each
        group by key) as summed)`);
}

/** Deletes and returns windows that started before a moment. Concurrent servers take different ones. */
export async function takeOverflow(tx: Transaction, before: Date, limit: number) {
  const ended = tx.$with('ended').as(
    tx
      .select({ id: sql<string>`${deviceId}`.as('ended_id') })
      .from(deviceOverflow)
      .where(lte(since, before))
      .orderBy(asc(deviceId))
      .limit(limit)
      .for('update', { skipLocked: true }),
  );
  const taken = await tx
    .with(ended)
    .delete(deviceOverflow)
    .where(sql`${deviceId} in (select ${ended.id} from ${ended})`)
    .returning({ deviceId, since, counts });
  const names = await findDeviceNames(
    tx,
    taken.map((row) => row.deviceId),
  );
  return taken.flatMap((row) => {
    const name = names.get(row.deviceId);
    return name === undefined ? [] : [{ ...row, name }];
  });
}
