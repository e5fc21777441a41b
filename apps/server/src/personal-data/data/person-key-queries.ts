import { and, asc, desc, isNotNull, isNull, sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import { portalNow } from '../../platform/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { personKey } from './personal-data-tables.ts';

export type StoredPersonKey = Pick<
  typeof personKey.$inferSelect,
  'id' | 'person' | 'sealed' | 'fingerprint'
>;

const stored = {
  id: personKey.id,
  person: personKey.person,
  sealed: personKey.sealed,
  fingerprint: personKey.fingerprint,
};

export async function findKeysOfPeople(
  on: Executor,
  people: readonly string[],
): Promise<StoredPersonKey[]> {
  if (people.length === 0) return [];
  return on.select(stored).from(personKey).where(isAnyOf(personKey.person, people));
}

export async function findKeys(on: Executor, ids: readonly string[]): Promise<StoredPersonKey[]> {
  if (ids.length === 0) return [];
  return on.select(stored).from(personKey).where(isAnyOf(personKey.id, ids));
}

/** Keys that are not destroyed, newest first. */
export async function findNewestKeys(on: Executor, limit: number): Promise<StoredPersonKey[]> {
  return on
    .select(stored)
    .from(personKey)
    .where(isNotNull(personKey.sealed))
    .orderBy(desc(personKey.id))
    .limit(limit);
}

const MAX_WITH_PREFIX = 1_000;

/** Keys whose owner begins with the prefix, newest first. */
export async function findKeysWithPrefix(on: Executor, prefix: string): Promise<StoredPersonKey[]> {
  return on
    .select(stored)
    .from(personKey)
    .where(sql`starts_with(${personKey.person}, ${prefix}) and ${personKey.person} >= ${prefix}`)
    .orderBy(desc(personKey.id))
    .limit(MAX_WITH_PREFIX);
}

/** Keeps the existing key of a person. */
export async function insertKeys(
  on: Executor,
  keys: readonly (StoredPersonKey & { readonly sealed: string })[],
): Promise<void> {
  if (keys.length === 0) return;
  await on
    .insert(personKey)
    .values([...keys])
    .onConflictDoNothing();
}

type DestroyedKey = Pick<StoredPersonKey, 'id' | 'person' | 'fingerprint'>;

/** A statement has at most 65,535 parameters. */
const PEOPLE_AT_ONCE = 5_000;

/**
 * Destroys the keys of people. People without a key get the row of a destroyed key, so that no key is created for them
 * later.
 * @returns the destroyed keys, including those rows
 */
export async function destroyKeys(
  on: Executor,
  people: readonly string[],
): Promise<readonly DestroyedKey[]> {
  const wanted = [...new Set(people)];
  const destroyed: DestroyedKey[] = [];
  for (let from = 0; from < wanted.length; from += PEOPLE_AT_ONCE)
    destroyed.push(...(await destroySome(on, wanted.slice(from, from + PEOPLE_AT_ONCE))));
  return destroyed;
}

const destroySome = (on: Executor, people: readonly string[]): Promise<DestroyedKey[]> =>
  on
    .insert(personKey)
    .values(
      people.map((person) => ({
        ...{ id: newId(), person, sealed: null, fingerprint: '' },
        destroyedAt: sql`${portalNow}`,
      })),
    )
    .onConflictDoUpdate({
      target: personKey.person,
      set: { sealed: null, destroyedAt: sql`${portalNow}` },
      setWhere: isNull(personKey.destroyedAt),
    })
    .returning({ id: personKey.id, person: personKey.person, fingerprint: personKey.fingerprint });

/** Destroys existing keys by their IDs. @returns how many */
export async function destroyKeysById(on: Executor, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { rowCount } = await on
    .update(personKey)
    .set({ sealed: null, destroyedAt: sql`${portalNow}` })
    .where(and(isAnyOf(personKey.id, ids), isNull(personKey.destroyedAt)));
  return rowCount ?? 0;
}

/** Destroyed keys, oldest first. */
export async function findDestroyedKeys(
  on: Executor,
): Promise<{ id: string; fingerprint: string; destroyedAt: Date | null }[]> {
  return on
    .select({
      id: personKey.id,
      fingerprint: personKey.fingerprint,
      destroyedAt: personKey.destroyedAt,
    })
    .from(personKey)
    .where(isNotNull(personKey.destroyedAt))
    .orderBy(asc(personKey.destroyedAt), asc(personKey.id));
}
