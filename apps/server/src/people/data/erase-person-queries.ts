import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { person } from './people-tables.ts';

export type PersonToErase = typeof person.$inferSelect;

export async function findPersonToErase(
  on: Executor,
  id: string,
): Promise<PersonToErase | undefined> {
  const [found] = await on.select().from(person).where(eq(person.id, id));
  return found;
}

/** Those of these people who are not erased. */
export async function findPeopleToErase(
  on: Executor,
  ids: readonly string[],
): Promise<PersonToErase[]> {
  if (ids.length === 0) return [];
  return on
    .select()
    .from(person)
    .where(and(isAnyOf(person.id, ids), isNull(person.erasedAt)));
}

/** Locks a person, so that two erasures of the same person run one after the other. */
export async function holdPersonToErase(
  tx: Transaction,
  id: string,
): Promise<PersonToErase | undefined> {
  const [found] = await tx.select().from(person).where(eq(person.id, id)).for('update');
  return found;
}

/** The customers linked to a user. */
export async function findPeopleOfUser(on: Executor, userId: string): Promise<string[]> {
  const rows = await on.select({ id: person.id }).from(person).where(eq(person.userId, userId));
  return rows.map(({ id }) => id);
}

/** Overwrites the data that identifies a person. The row is kept, because cases and the audit trail refer to its id. */
export async function erasePersonRow(
  tx: Transaction,
  id: string,
  pseudonym: string,
): Promise<void> {
  await tx
    .update(person)
    .set({
      username: pseudonym,
      name: pseudonym,
      email: null,
      phone: null,
      country: null,
      language: null,
      userId: null,
      updatedAt: sql`${portalNow}`,
      erasedAt: sql`${portalNow}`,
    })
    .where(eq(person.id, id));
}

export async function findErasedPeople(on: Executor): Promise<{ id: string; at: Date | null }[]> {
  return on
    .select({ id: person.id, at: person.erasedAt })
    .from(person)
    .where(isNotNull(person.erasedAt))
    .orderBy(asc(person.erasedAt), asc(person.id));
}

/** A person's own row, for their record. */
export const personRowsOf = (id: string) => [{ table: person, where: eq(person.id, id) }];
