import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { selectCasesInSight } from './data/case-queries.ts';

/** Returns those of the cases that are visible to the viewer. */
export async function casesInSight(
  { database }: { readonly database: Pick<Database, 'orm'> },
  viewer: Pick<Viewer, 'grants'>,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  return selectCasesInSight(database.orm, viewer, ids);
}
