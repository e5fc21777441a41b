import { sql, type SQL } from 'drizzle-orm';
import { scopesOf, type Permission } from '@deviceportal/contract/permissions';
import { ownsDeviceWithin, personSightOf } from '../people/data/person-sight.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Whether the case of a person in the row `p` exists for a viewer: the person must, where the right holds. */
export function caseSight(
  viewer: Pick<Viewer, 'grants'>,
  permission: Permission = 'cases:read',
): SQL {
  const scopes = scopesOf(viewer.grants, [permission, 'cases:manage']);
  return sql`(${ownsDeviceWithin(scopes)} and ${personSightOf(viewer).exists})`;
}
