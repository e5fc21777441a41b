import type { MadeByAccessGrant } from '@deviceportal/contract/access-grants';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../platform/viewer.ts';
import type { AccessGrantDeps, FindMade } from './access-grant-deps.ts';
import { selectAccessGrants } from '../data/access-grant-queries.ts';

/**
 * What was made by temporary access and ends with it.
 * @throws PortalError 2003 also for another's where the viewer may not look at access
 */
export async function listMade(
  { database, findMade }: Pick<AccessGrantDeps, 'database'> & { readonly findMade: FindMade },
  viewer: Viewer,
  id: string,
): Promise<readonly MadeByAccessGrant[]> {
  const [found] = await selectAccessGrants(database.orm, { ids: [id] }, 1);
  const isSeen = found?.userId === viewer.userId || holds(viewer.grants, 'access:read');
  if (found === undefined || !isSeen) throw new PortalError('notFound', { facts: { id } });
  return findMade(id);
}
