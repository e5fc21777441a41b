import { idSchema } from '@deviceportal/contract/ids';
import { holds } from '@deviceportal/contract/permissions';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { isOpenCaseOf } from './data/case-queries.ts';

/**
 * The case in a request's header, if it is open and the viewer works or has worked in it. Other values are ignored
 * without an error, because another user can have closed the case a moment ago.
 */
export async function findBoundCase(
  { database }: { readonly database: Pick<Database, 'orm'> },
  viewer: Viewer,
  header: string | undefined,
): Promise<string | null> {
  const id = idSchema.safeParse(header);
  if (!id.success || !holds(viewer.grants, 'cases:manage')) return null;
  return (await isOpenCaseOf(database.orm, viewer, id.data)) ? id.data : null;
}
