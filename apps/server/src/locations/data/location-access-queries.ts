import { sql } from 'drizzle-orm';
import { idArrayParam } from '../../devices/data/search/device-predicate.ts';
import { portalNow } from '../../platform/columns.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { setExcluded } from '../../platform/database/excluded.ts';
import { selectList, selectRows } from '../../platform/database/select-rows.ts';
import { locationLook } from './locations-tables.ts';

/** Requests within this time belong to the same access. */
const SAME_ACCESS_WITHIN = sql`interval '10 minutes'`;

const deviceList = selectList({
  deviceId: sql<(typeof locationLook.$inferSelect)['deviceId']>`i.id`,
});

/**
 * Records that a user accesses precise locations of devices.
 * @returns the devices for which this is a new access
 */
export async function upsertLocationAccess(
  tx: Transaction,
  viewerId: string,
  deviceIds: readonly string[],
): Promise<string[]> {
  const ids = idArrayParam(deviceIds.toSorted());
  const { userId, deviceId, at } = locationLook;
  const rows = await selectRows(
    tx,
    deviceList,
    (list) => sql`
    with going_on as materialized (
      select ${deviceId} as id from ${locationLook} where ${userId} = ${viewerId} and ${deviceId} = any(${ids})
        and ${at} > ${portalNow} - ${SAME_ACCESS_WITHIN}),
    kept as (
      insert into ${locationLook} (${columnNames(userId, deviceId, at)})
      select ${viewerId}::uuid, i.id, ${portalNow} from unnest(${ids}) as i(id)
      on conflict (${columnNames(userId, deviceId)}) do update set ${setExcluded(locationLook, ['at'])})
    select ${list} from unnest(${ids}) as i(id)
    where not exists (select from going_on g where g.id = i.id)`,
  );
  return rows.map((row) => row.deviceId);
}
