import { sql } from 'drizzle-orm';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { loadDeviceRows } from './device-row-store.ts';
import { deviceScopeCondition } from '../device-scope-condition.ts';

/** What a list shows of these devices now; those that have left the viewer's scope are missing. */
export async function getDeviceRows(
  { database }: { readonly database: Database },
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly DeviceRow[]> {
  const reached = deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']));
  const { rows } = await database.orm.execute<{ id: string }>(sql`
    select d.id from device d where d.id = any(${sql.param([...ids])}::uuid[]) and ${reached}`);
  return loadDeviceRows(
    database.orm,
    viewer,
    rows.map(({ id }) => id),
  );
}
