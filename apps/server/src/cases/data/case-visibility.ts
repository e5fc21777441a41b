import { and, type SQL, type SQLWrapper } from 'drizzle-orm';
import { scopesOf, type Permission } from '@deviceportal/contract/permissions';
import { ownsDevice } from '../../devices/data/owns-device.ts';
import { personVisibilityOf } from '../../people/data/person-visibility.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** Whether the case of a person is visible to a viewer: the person must be, within the scope of the permission. */
export function caseVisibility(
  viewer: Pick<Viewer, 'grants'>,
  personId: SQLWrapper,
  permission: Permission = 'cases:read',
): SQL | undefined {
  const scopes = scopesOf(viewer.grants, [permission, 'cases:manage']);
  return and(ownsDevice(scopes, personId), personVisibilityOf(viewer, personId).exists);
}
