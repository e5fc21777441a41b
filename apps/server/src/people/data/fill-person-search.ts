import { sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { person } from './people-tables.ts';
import { personSearch } from './person-search-tables.ts';

const BEGINNING = '00000000-0000-0000-0000-000000000000';

/**
 * Adds the forms of some people who have none: people from before the table existed.
 * @param after the last person of the batch before; null for the first batch
 * @returns the last person of this batch; null after the end
 */
export async function fillPersonSearch(
  on: Executor,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<string | null> {
  const { rows } = await on.execute<{ last: string | null }>(sql`
    with batch as (
      select ${person.id}, ${person.name}, ${person.username}, ${person.email} from ${person}
      where ${person.id} > ${after ?? BEGINNING}::uuid order by ${person.id} limit ${limit}),
    added as (
      insert into ${personSearch}
      select p.id, person_words(p.name, p.username, p.email) from batch p
      where not exists (select from ${personSearch} where ${personSearch.personId} = p.id)
      on conflict do nothing)
    select (select id from batch order by id desc limit 1) as last`);
  return rows[0]?.last ?? null;
}
