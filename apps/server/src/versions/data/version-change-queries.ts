import { and, desc, eq, gte, lte, sql } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { deviceVersionHistory } from './versions-tables.ts';

const { id, deviceId, component, version, at } = deviceVersionHistory;
const previous = sql<
  string | null
>`lag(${version}) over (partition by ${deviceId}, ${component} order by ${at}, ${id})`;

/** Software changes of a device, newest first. */
export async function readVersionChanges(
  on: Executor,
  wanted: { readonly deviceId: string; readonly limit: number },
) {
  return on
    .select({ component, version, previousVersion: previous, at })
    .from(deviceVersionHistory)
    .where(eq(deviceId, wanted.deviceId))
    .orderBy(desc(at), desc(id))
    .limit(wanted.limit);
}

/** Software changes of devices within the viewer's scope in a time range, newest first. */
export async function readVersionChangesOfDevices(
  on: Executor,
  viewer: Viewer,
  wanted: {
    readonly deviceIds: readonly string[];
    readonly from: Date;
    readonly to: Date;
    readonly limit: number;
  },
) {
  const changed = on
    .select({ deviceId, component, version, at, previous: previous.as('previous') })
    .from(deviceRecords)
    .innerJoin(deviceVersionHistory, eq(deviceId, deviceRecords.deviceId))
    .where(
      and(
        isAnyOf(deviceRecords.deviceId, wanted.deviceIds),
        lte(at, wanted.to),
        deviceScopeCondition(scopesOf(viewer.grants, ['versions:read']), deviceRecords),
      ),
    )
    .as('changed');
  return on
    .select()
    .from(changed)
    .where(gte(changed.at, wanted.from))
    .orderBy(desc(changed.at))
    .limit(wanted.limit);
}
