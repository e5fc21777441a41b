import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { ownsAnyDevice } from '../../devices/data/owns-device.ts';
import { hasCase } from '../../cases/data/has-case.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { person } from './people-tables.ts';

/** Locked until the transaction ends, in the order of their IDs. */
export async function lockPeopleByUsername(tx: Transaction, usernames: readonly string[]) {
  const { id, username, name, email, phone, country, language, userId, erasedAt } = person;
  return tx
    .select({ id, username, name, email, phone, country, language, userId, erasedAt })
    .from(person)
    .where(isAnyOf(username, usernames))
    .orderBy(asc(id))
    .for('update');
}

/** The usernames of people by their lower-case email addresses. */
export async function findUsernamesByEmails(
  on: Executor,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (emails.length === 0) return new Map();
  const email = sql<string>`lower(${person.email})`;
  const rows = await on
    .select({ email, username: person.username })
    .from(person)
    .where(sql`${email} = any(${sql.param([...emails])}::text[])`);
  return new Map(rows.map((row) => [row.email, row.username]));
}

export interface WrittenPerson extends Pick<
  typeof person.$inferSelect,
  'id' | 'name' | 'email' | 'phone' | 'country' | 'language'
> {}

/** Replaces these values of people who are not erased, in one statement. */
export async function writePeopleBatch(
  tx: Transaction,
  people: readonly WrittenPerson[],
): Promise<void> {
  const given = alias(person, 'given');
  const keys = ['id', 'name', 'email', 'phone', 'country', 'language'] as const;
  await tx
    .update(person)
    .set({
      name: sql`${given.name}`,
      email: sql`${given.email}`,
      phone: sql`${given.phone}`,
      country: sql`${given.country}`,
      language: sql`${given.language}`,
      updatedAt: portalNow,
    })
    .from(rowsFor(given, keys, people))
    .where(and(eq(person.id, given.id), isNull(person.erasedAt)));
}

/** Those of these people to whom a device or a case belongs. */
export async function findPeopleInUse(
  on: Executor,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await on
    .select({ id: person.id })
    .from(person)
    .where(
      and(isAnyOf(person.id, ids), sql`(${ownsAnyDevice(person.id)} or ${hasCase(person.id)})`),
    );
  return new Set(rows.map(({ id }) => id));
}

export async function deletePeople(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.delete(person).where(isAnyOf(person.id, ids));
}
