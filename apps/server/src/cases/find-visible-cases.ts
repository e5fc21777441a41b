import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { selectVisibleCases } from './data/case-queries.ts';

/** Returns those of the cases that are visible to the viewer. */
export async function findVisibleCases(
  { database }: { readonly database: Pick<Database, 'orm'> },
  viewer: Pick<Viewer, 'grants'>,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  return selectVisibleCases(database.orm, viewer, ids);
}
