import { sql } from 'drizzle-orm';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { selectPeople } from './person-store.ts';

/** Names by id, masked as the viewer's rights say; who is not in their sight is absent. */
export async function namesOfPeople(
  { database }: { readonly database: Database },
  viewer: Viewer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await selectPeople(database.orm, viewer, {
    from: sql`person p`,
    where: sql`p.id = any(${sql.param([...new Set(ids)])}::uuid[])`,
    limit: ids.length,
    byName: false,
  });
  return new Map(found.map(({ person }) => [person.id, person.name]));
}
