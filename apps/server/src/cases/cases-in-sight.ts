import { sql } from 'drizzle-orm';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { caseSight } from './case-sight.ts';

/** Those of the cases that a viewer may see. */
export async function casesInSight(
  { database }: { readonly database: Pick<Database, 'orm'> },
  viewer: Pick<Viewer, 'grants'>,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await database.orm.execute<{ id: string }>(sql`
    select c.id from support_case c join person p on p.id = c.person_id
    where c.id = any(${sql.param([...ids])}::uuid[]) and ${caseSight(viewer)}`);
  return rows.map(({ id }) => id);
}
