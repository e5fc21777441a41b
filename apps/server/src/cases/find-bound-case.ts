import { sql } from 'drizzle-orm';
import { idSchema } from '@deviceportal/contract/ids';
import { holds } from '@deviceportal/contract/permissions';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { caseSight } from './case-sight.ts';

/**
 * The case that a request says it is made in, if that is an open one in which the viewer works or has worked. Anything
 * else binds nothing, and refuses nothing: a colleague may have closed it a moment ago.
 */
export async function findBoundCase(
  { database }: { readonly database: Pick<Database, 'orm'> },
  viewer: Viewer,
  header: string | undefined,
): Promise<string | null> {
  const id = idSchema.safeParse(header);
  if (!id.success || !holds(viewer.grants, 'cases:manage')) return null;
  const { rows } = await database.orm.execute<{ id: string }>(sql`
    select c.id from support_case c
    join case_worker w on w.case_id = c.id and w.user_id = ${viewer.userId}
    join person p on p.id = c.person_id
    where c.id = ${id.data} and c.state = 'open' and ${caseSight(viewer, 'cases:manage')}`);
  return rows[0]?.id ?? null;
}
