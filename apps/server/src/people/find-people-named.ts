import { sql } from 'drizzle-orm';
import type { Database } from '../platform/database/database.ts';

/** Which of these texts are the name or user name of a person on record or of a user, except one. */
export async function findPeopleNamed(
  { database }: { readonly database: Database },
  candidates: readonly string[],
  exceptId: string,
): Promise<string[]> {
  if (candidates.length === 0) return [];
  const wanted = sql`any(${sql.param([...candidates])}::text[])`;
  const { rows } = await database.orm.execute<{ text: string }>(sql`
    select name as text from person where name = ${wanted} and id <> ${exceptId}
    union select username from person where username = ${wanted} and id <> ${exceptId}
    union select name from portal_user where name = ${wanted}
    union select username from portal_user where username = ${wanted}`);
  return rows.map(({ text }) => text);
}
