import { sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { recordsOf } from '../../platform/database/records-of.ts';
import { person } from './people-tables.ts';

export interface PersonDraft extends Pick<
  typeof person.$inferSelect,
  'username' | 'name' | 'email' | 'phone' | 'country' | 'language'
> {
  readonly id?: string;
}

/** Inserts people. Existing usernames are left unchanged. */
export async function insertPeople(tx: Transaction, people: readonly PersonDraft[]): Promise<void> {
  if (people.length === 0) return;
  const rows = people.map((draft) => ({ ...draft, id: draft.id ?? newId() }));
  const { columns, values, records } = recordsOf(person, JSON.stringify(rows), [
    ...(['id', 'username', 'name', 'email', 'phone', 'country', 'language'] as const),
  ]);
  await tx.execute(sql`
    insert into ${person} (${columns}) select ${values} from ${records}
    on conflict (${columnNames(person.username)}) do nothing`);
}

/** Ids of people by their usernames. */
export async function findPersonIds(
  on: Executor,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (usernames.length === 0) return new Map();
  const rows = await on
    .select({ id: person.id, username: person.username })
    .from(person)
    .where(isAnyOf(person.username, usernames));
  return new Map(rows.map(({ id, username }) => [username, id]));
}
