import type { MadeByAccessGrant } from '@deviceportal/contract/access-grants';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../platform/viewer.ts';
import type { AccessGrantDeps, FindCreatedObjects } from './access-grant-deps.ts';
import { selectAccessGrants } from '../data/access-grant-queries.ts';

/**
 * Objects that were created by means of temporary access and end with it.
 * @throws PortalError 2003, also for another user's if the viewer does not have `access:read`
 */
export async function listCreatedObjects(
  {
    database,
    findCreatedObjects,
  }: Pick<AccessGrantDeps, 'database'> & { readonly findCreatedObjects: FindCreatedObjects },
  viewer: Viewer,
  id: string,
): Promise<readonly MadeByAccessGrant[]> {
  const [found] = await selectAccessGrants(database.orm, { ids: [id] }, 1);
  const isSeen = found?.userId === viewer.userId || holds(viewer.grants, 'access:read');
  if (found === undefined || !isSeen) throw new PortalError('notFound', { facts: { id } });
  return findCreatedObjects(id);
}
