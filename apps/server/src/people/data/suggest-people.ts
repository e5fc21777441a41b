import { and } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { person } from './people-tables.ts';
import { containsWord } from './person-conditions.ts';
import { personVisibilityOf } from './person-visibility.ts';

/** People whose name, username, email, or phone number contains a text, among those whom the viewer sees by name. */
export async function suggestPeople(on: Executor, viewer: Viewer, text: string, limit: number) {
  return on
    .select({ id: person.id, name: person.name })
    .from(person)
    .where(and(personVisibilityOf(viewer, person.id).named, containsWord(text.toLowerCase())))
    .limit(limit);
}
