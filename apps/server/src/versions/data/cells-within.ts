import { and, eq, ne, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import { deviceVersion, versionCell, versionCellDelta } from './versions-tables.ts';

/**
 * Counts of one component's versions within scopes; a cell may have several rows. Read from the stored counts; for a
 * scope by labels, which those lack, devices are counted.
 */
export function cellsWithin(scopes: readonly Scope[], component: string) {
  const needsDevices =
    scopes.some((scope) => Object.keys(scope.labels).length > 0) && !scopes.some(isEverywhere);
  return (needsDevices ? countedDevices : keptCounts)(scopes, component).as('cell');
}

function countedDevices(scopes: readonly Scope[], component: string) {
  return new QueryBuilder()
    .select({
      version: sql<string>`${deviceVersion.version}`.as('cell_version'),
      model: sql<string>`coalesce(${deviceRecords.model}, '')`.as('cell_model'),
      country: sql<string>`coalesce(${deviceRecords.country}, '')`.as('cell_country'),
      devices: sql<number>`count(*)::int`.as('cell_devices'),
    })
    .from(deviceVersion)
    .innerJoin(
      deviceRecords,
      and(
        eq(deviceRecords.deviceId, deviceVersion.deviceId),
        ne(deviceRecords.lifecycle, 'retired'),
      ),
    )
    .where(and(eq(deviceVersion.component, component), deviceScopeCondition(scopes, deviceRecords)))
    .groupBy(sql`1, 2, 3`)
    .$dynamic();
}

/** A cell has a model and a country, like a device. */
function keptCounts(scopes: readonly Scope[], component: string) {
  const counts = (cell: typeof versionCell | typeof versionCellDelta) =>
    new QueryBuilder()
      .select({
        version: sql<string>`${cell.version}`.as('cell_version'),
        model: sql<string>`${cell.model}`.as('cell_model'),
        country: sql<string>`${cell.country}`.as('cell_country'),
        devices: sql<number>`${cell.devices}`.as('cell_devices'),
      })
      .from(cell)
      .where(
        and(
          eq(cell.component, component),
          deviceScopeCondition(scopes, {
            model: cell.model,
            country: cell.country,
            labels: sql`'{}'::jsonb`,
          }),
        ),
      );
  return counts(versionCell).unionAll(counts(versionCellDelta)).$dynamic();
}
