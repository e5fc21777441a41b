import { sql, type SQL } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { Viewer } from '../platform/viewer.ts';

/**
 * Counts of one component's versions within the viewer's scope: rows `version, model, country, devices`, some of them
 * for the same cell. Read from the kept counts; a scope by labels, which those do not know, counts the devices.
 */
export function cellsWithin(viewer: Viewer, component: string): SQL {
  const scopes = scopesOf(viewer.grants, ['versions:read']);
  if (scopes.some((scope) => Object.keys(scope.labels).length > 0) && !scopes.some(isEverywhere)) {
    return sql`select v.version, coalesce(d.model, '') as model, coalesce(d.country, '') as country, count(*)::int as devices
      from device_version v join device d on d.id = v.device_id and d.lifecycle <> 'retired'
      where v.component = ${component} and ${deviceScopeCondition(scopes)} group by 1, 2, 3`;
  }
  // A cell has a model and a country, as a device does.
  return sql`select k.version, k.model, k.country, k.devices from (
      select * from (select component, version, model, country, devices from version_cell
        union all select component, version, model, country, devices from version_cell_delta) every_cell
      where component = ${component}) k
    where ${deviceScopeCondition(scopes, sql.raw('k'))}`;
}
