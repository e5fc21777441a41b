import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { person } from './people-tables.ts';
import { personVisibilityOf } from './person-visibility.ts';

/** Whether a person with this id exists for the viewer. */
export async function isPersonVisible(on: Executor, viewer: Viewer, id: string): Promise<boolean> {
  const rows = await on
    .select({ id: person.id })
    .from(person)
    .where(and(eq(person.id, id), personVisibilityOf(viewer, person.id).exists));
  return rows.length > 0;
}
