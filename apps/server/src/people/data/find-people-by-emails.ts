import { and, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { person } from './people-tables.ts';
import { personVisibilityOf } from './person-visibility.ts';

/** Ids of people by their lower-case email addresses; only people whom the viewer sees by name. */
export async function findPeopleByEmails(
  on: Executor,
  viewer: Viewer,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (emails.length === 0) return new Map();
  const email = sql<string>`lower(${person.email})`;
  const rows = await on
    .select({ id: person.id, email })
    .from(person)
    .where(
      and(
        sql`${email} = any(${sql.param([...emails])}::text[])`,
        personVisibilityOf(viewer, person.id).named,
      ),
    );
  return new Map(rows.map((row) => [row.email, row.id]));
}
