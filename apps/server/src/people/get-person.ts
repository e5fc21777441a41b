import { sql } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import type { Person } from '@deviceportal/contract/people';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { selectPeople } from './person-store.ts';

/** @throws PortalError notFound (2003) also when the person owns no device within the viewer's scope */
export async function getPerson(
  deps: { readonly database: Database },
  viewer: Viewer,
  id: string,
): Promise<Person> {
  const [found] = await selectPeople(deps.database.orm, viewer, {
    from: sql`person p`,
    where: sql`p.id = ${id}`,
    limit: 1,
    byName: false,
  });
  if (found === undefined) throw new PortalError('notFound', { facts: { person: id } });
  return found.person;
}
