import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { userNames, userNamesAs } from '../../access/data/user-names.ts';
import { personNames } from '../../people/data/person-names.ts';
import { portalClock } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { heldErasure } from './legal-holds-tables.ts';

export type StoredWaiting = typeof heldErasure.$inferSelect;

export interface NamedWaiting extends StoredWaiting {
  readonly username: string;
  readonly requestedBy: string | null;
}

const requester = userNamesAs('requester');
const MOST_LISTED = 500;

/** Erasures that wait for the end of a hold, oldest first. */
export async function listWaiting(on: Executor): Promise<NamedWaiting[]> {
  const { id, kind, personId, requestedById, requestedAt, begunAt } = heldErasure;
  return on
    .select({
      ...{ id, kind, personId, requestedById, requestedAt, begunAt },
      username: sql<string>`coalesce(${userNames.username}, ${personNames.username}, ${personId}::text)`,
      requestedBy: sql<string | null>`${requester.username}`,
    })
    .from(heldErasure)
    .leftJoin(userNames, eq(userNames.userId, personId))
    .leftJoin(personNames, eq(personNames.personId, personId))
    .leftJoin(requester, eq(requester.userId, requestedById))
    .where(isNull(begunAt))
    .orderBy(asc(requestedAt), asc(id))
    .limit(MOST_LISTED);
}

/** Does nothing if the person's erasure waits already. */
export async function insertWaiting(
  tx: Transaction,
  waiting: Omit<StoredWaiting, 'begunAt'>,
): Promise<void> {
  await tx.insert(heldErasure).values(waiting).onConflictDoNothing();
}

/** Locks a waiting erasure; undefined if it has already begun. */
export async function lockWaiting(tx: Transaction, id: string): Promise<StoredWaiting | undefined> {
  const [found] = await tx
    .select()
    .from(heldErasure)
    .where(and(eq(heldErasure.id, id), isNull(heldErasure.begunAt)))
    .for('update');
  return found;
}

export async function markBegun(tx: Transaction, id: string): Promise<void> {
  await tx.update(heldErasure).set({ begunAt: portalClock }).where(eq(heldErasure.id, id));
}
