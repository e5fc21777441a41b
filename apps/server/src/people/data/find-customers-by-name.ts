import { or, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { person } from './people-tables.ts';

/** The ids of customers by username, email address or phone number, whatever the case. */
export async function findCustomersByName(
  on: Executor,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const wanted = sql`lower(trim(wanted.name))`;
  const rows = await on
    .select({ name: sql<string>`wanted.name`, id: person.id })
    .from(sql`unnest(${sql.param([...names])}::text[]) as wanted(name)`)
    .innerJoin(
      person,
      or(
        sql`${person.username} in (wanted.name, ${wanted})`,
        sql`lower(${person.email}) = ${wanted}`,
        sql`${person.phone} = trim(wanted.name)`,
      ),
    );
  return new Map(rows.map(({ name, id }) => [name, id]));
}
