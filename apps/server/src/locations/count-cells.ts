import { sql } from 'drizzle-orm';
import type { LocationCell } from '@deviceportal/contract/locations';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

/** The largest cells of a map, at most this many. */
const CELLS_LIMIT = 5_000;

interface CellRow extends Record<string, unknown>, LocationCell {}

/** Devices in service counted by cells of the map, within the viewer's scope; a cell's centre stands for all in it. */
export async function countCells(
  deps: { readonly database: Database },
  viewer: Viewer,
  cellDegrees: number,
): Promise<readonly LocationCell[]> {
  const scopes = scopesOf(viewer.grants, ['locations:read']);
  const device = scopes.some(isEverywhere)
    ? sql``
    : sql`join device d on d.id = l.device_id and ${deviceScopeCondition(scopes)}`;
  const found = await deps.database.orm.execute<CellRow>(sql`
    select (floor(l.latitude / ${cellDegrees}::float8) + 0.5) * ${cellDegrees}::float8 as latitude,
      (floor(l.longitude / ${cellDegrees}::float8) + 0.5) * ${cellDegrees}::float8 as longitude,
      count(*)::int as count,
      (count(*) filter (where s.connectivity in ('online', 'degraded')))::int as online,
      mode() within group (order by l.country) as country
    from device_location l join device_status s on s.device_id = l.device_id and s.lifecycle <> 'retired' ${device}
    group by 1, 2 order by count(*) desc limit ${CELLS_LIMIT}`);
  return found.rows.map((row) => ({
    latitude: row.latitude,
    longitude: row.longitude,
    count: row.count,
    online: row.online,
    country: row.country,
  }));
}
