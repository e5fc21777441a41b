import { sql, type SQL } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { Viewer } from '../platform/viewer.ts';

/** `device_version v`, joined to `device d` where the viewer's scope has limits. */
export function installedWithin(viewer: Viewer): SQL {
  const scopes = scopesOf(viewer.grants, ['versions:read']);
  if (scopes.some(isEverywhere)) return sql`device_version v`;
  return sql`device_version v join device d on d.id = v.device_id and ${deviceScopeCondition(scopes)}`;
}
