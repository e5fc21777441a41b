import { and, desc, eq, ne, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder, unionAll } from 'drizzle-orm/pg-core';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { excluded } from '../../../platform/database/excluded.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { savedView } from '../devices-tables.ts';

export type StoredView = Omit<typeof savedView.$inferSelect, 'createdAt'>;

const MAX_SHARED = 300;

const columns = {
  id: savedView.id,
  ownerId: savedView.ownerId,
  name: savedView.name,
  screen: savedView.screen,
  search: savedView.search,
  sharedWithRole: savedView.sharedWithRole,
};

/**
 * A user's views of a screen, followed by those shared with one of their roles, sorted by name. If more views are
 * shared than fit, each sharing user gets a part of the list.
 */
export async function selectViews(
  on: Executor,
  { userId, roles }: { readonly userId: string; readonly roles: readonly string[] },
  screen: string,
): Promise<StoredView[]> {
  const shared = on
    .select(columns)
    .from(savedView)
    .where(
      and(
        eq(savedView.screen, screen),
        ne(savedView.ownerId, userId),
        isAnyOf(savedView.sharedWithRole, roles),
      ),
    )
    .orderBy(
      sql`row_number() over (partition by ${savedView.ownerId} order by lower(${savedView.name}), ${savedView.id})`,
      savedView.id,
    )
    .limit(MAX_SHARED);
  const own = on
    .select(columns)
    .from(savedView)
    .where(and(eq(savedView.screen, screen), eq(savedView.ownerId, userId)));
  const found = unionAll(own, shared).as('view');
  return on
    .select()
    .from(found)
    .orderBy(desc(eq(found.ownerId, userId)), sql`lower(${found.name})`, found.id);
}

/** Locked until the transaction ends; undefined if it is not the user's own. */
export async function lockOwnView(
  tx: Transaction,
  { id, ownerId }: Pick<StoredView, 'id' | 'ownerId'>,
): Promise<StoredView | undefined> {
  const [found] = await tx.select(columns).from(savedView).where(isOwn(id, ownerId)).for('update');
  return found;
}

/** Views of a user, for growth limits. */
export const viewsOf = (ownerId: string): SQL =>
  new QueryBuilder()
    .select({ id: savedView.id })
    .from(savedView)
    .where(eq(savedView.ownerId, ownerId))
    .getSQL();

/** Undefined if another user has a view with this ID. */
export async function upsertView(
  tx: Transaction,
  view: StoredView,
): Promise<StoredView | undefined> {
  const [saved] = await tx
    .insert(savedView)
    .values(view)
    .onConflictDoUpdate({
      target: savedView.id,
      set: {
        name: excluded(savedView.name),
        screen: excluded(savedView.screen),
        search: excluded(savedView.search),
        sharedWithRole: excluded(savedView.sharedWithRole),
      },
      setWhere: eq(savedView.ownerId, excluded(savedView.ownerId)),
    })
    .returning(columns);
  return saved;
}

/** Undefined if it is not the user's own. */
export async function deleteOwnView(
  tx: Transaction,
  { id, ownerId }: Pick<StoredView, 'id' | 'ownerId'>,
): Promise<StoredView | undefined> {
  const [deleted] = await tx.delete(savedView).where(isOwn(id, ownerId)).returning(columns);
  return deleted;
}

const isOwn = (id: string, ownerId: string): SQL | undefined =>
  and(eq(savedView.id, id), eq(savedView.ownerId, ownerId));

/** Whether a saved view filters by a target list. */
export const isListInView = (listId: SQL): SQL =>
  sql`exists ${new QueryBuilder()
    .select({ id: savedView.id })
    .from(savedView)
    .where(sql`${savedView.search} ->> 'targets' = ${listId}::text`)}`;
