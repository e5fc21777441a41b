import { personLabel } from '@deviceportal/contract/people';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findPeople } from './data/person-queries.ts';
import { maskedPerson } from './masked-person.ts';

/** Names with a second fact by id, masked by the viewer's permissions; people whom the viewer may not see are absent. */
export async function visiblePersonLabels(
  { database }: { readonly database: Database },
  viewer: Viewer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await findPeople(database.orm, viewer, [...new Set(ids)]);
  return new Map(found.map(maskedPerson).map((person) => [person.id, personLabel(person)]));
}
