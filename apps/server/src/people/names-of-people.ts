import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findPeople } from './data/person-queries.ts';
import { shownPerson } from './shown-person.ts';

/** Names by id, masked as the viewer's rights say; who is not in their sight is absent. */
export async function namesOfPeople(
  { database }: { readonly database: Database },
  viewer: Viewer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await findPeople(database.orm, viewer, [...new Set(ids)]);
  return new Map(found.map(shownPerson).map(({ id, name }) => [id, name]));
}
