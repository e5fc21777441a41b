import { and } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { person } from './people-tables.ts';
import { containsWord } from './person-conditions.ts';
import { personSightOf } from './person-sight.ts';

/** People in whose name, user name, email or phone a text occurs, among those whom the viewer sees by name. */
export async function suggestPeople(on: Executor, viewer: Viewer, text: string, limit: number) {
  return on
    .select({ id: person.id, name: person.name })
    .from(person)
    .where(and(personSightOf(viewer, person.id).named, containsWord(text.toLowerCase())))
    .limit(limit);
}
