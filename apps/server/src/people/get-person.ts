import { PortalError } from '@deviceportal/contract/errors';
import type { Person } from '@deviceportal/contract/people';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findPeople } from './data/person-queries.ts';
import { maskedPerson } from './masked-person.ts';

/** @throws PortalError notFound (2003), also if the person owns no device within the viewer's scope */
export async function getPerson(
  deps: { readonly database: Database },
  viewer: Viewer,
  id: string,
): Promise<Person> {
  const [found] = await findPeople(deps.database.orm, viewer, [id]);
  if (found === undefined) throw new PortalError('notFound', { facts: { person: id } });
  return maskedPerson(found);
}
