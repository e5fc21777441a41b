import { eq, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { portalUser } from './access-tables.ts';

type Preferences = (typeof portalUser.$inferSelect)['preferences'];

export interface ChangedPreference {
  readonly key: string;
  /** Null if it was never set. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Merges preferences into the stored ones and returns those that changed. */
export async function savePreferences(
  tx: Transaction,
  userId: string,
  preferences: Readonly<Preferences>,
): Promise<ChangedPreference[]> {
  const given = sql`${JSON.stringify(preferences)}::jsonb`;
  const old = tx
    .select({ id: portalUser.id, preferences: portalUser.preferences })
    .from(portalUser)
    .where(eq(portalUser.id, userId))
    .for('update')
    .getSQL();
  const written = tx
    .update(portalUser)
    .set({ preferences: sql`${portalUser.preferences} || ${given}` })
    .where(sql`${portalUser.id} in (select id from old) and exists (select from changed)`)
    .getSQL();
  const { rows } = await tx.execute<Record<keyof ChangedPreference, never>>(sql`
    with old as materialized (${old}),
    changed as materialized (
      select given.key, old.preferences -> given.key as before, given.value as after
      from old, jsonb_each(${given}) given where old.preferences -> given.key is distinct from given.value),
    written as (${written})
    select key, before, after from changed order by key`);
  return rows;
}

export async function findNameAndPreferences(on: Executor, subject: string) {
  const [user] = await on
    .select({ username: portalUser.username, preferences: portalUser.preferences })
    .from(portalUser)
    .where(eq(portalUser.subject, subject));
  return user;
}

/** The stored value of one preference; undefined if the user is unknown or it was never set. */
export async function findPreference(on: Executor, userId: string, key: string): Promise<unknown> {
  const [user] = await on
    .select({ value: sql<unknown>`${portalUser.preferences} -> ${key}::text` })
    .from(portalUser)
    .where(eq(portalUser.id, userId));
  return user?.value ?? undefined;
}

/**
 * Adds an item to a preference that is a list, or removes it, in one statement so that two tabs cannot revert each
 * other's changes.
 *
 * @returns the list before and after; undefined if it is unchanged
 */
export async function changeListPreference(
  tx: Transaction,
  userId: string,
  { key, item, isIn }: { readonly key: string; readonly item: string; readonly isIn: boolean },
): Promise<Pick<ChangedPreference, 'before' | 'after'> | undefined> {
  const { id, preferences } = portalUser;
  const written = tx
    .update(portalUser)
    .set({ preferences: sql`${preferences} || jsonb_build_object(${key}::text, changed.after)` })
    .from(sql`changed`)
    .where(sql`${id} = changed.id`)
    .getSQL();
  const { rows } = await tx.execute<Record<'before' | 'after', never>>(sql`
    with old as materialized (
      select ${id}, coalesce(${preferences} -> ${key}::text, '[]'::jsonb) as names
      from ${portalUser} where ${eq(id, userId)} for update),
    changed as materialized (
      select id, names as before,
        case when ${isIn} then names || to_jsonb(array[${item}::text]) else names - ${item}::text end as after
      from old where (names ? ${item}) <> ${isIn}),
    written as (${written})
    select before, after from changed`);
  return rows[0];
}
