import { and, asc, desc, eq, getTableColumns, isNull, lte, sql, type SQL } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import { userNames, userNamesAs } from '../../access/data/user-names.ts';
import { portalClock } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { coversPerson, isStanding } from './held.ts';
import { legalHold, legalHoldSubject } from './legal-holds-tables.ts';

export type StoredHold = typeof legalHold.$inferSelect;
export type StoredSubject = typeof legalHoldSubject.$inferSelect;

/** A hold with the current names of its users. */
export interface NamedHold extends StoredHold {
  readonly setBy: string | null;
  readonly releaseRequestedBy: string | null;
  readonly endedBy: string | null;
}

/** Holds that the list shows. */
const MOST_LISTED = 500;

const requester = userNamesAs('requester');
const ender = userNamesAs('ender');

/** Standing holds first, then by age, newest first. */
export async function listHolds(on: Executor): Promise<NamedHold[]> {
  return on
    .select({
      ...getTableColumns(legalHold),
      setBy: sql<string | null>`${userNames.username}`,
      releaseRequestedBy: sql<string | null>`${requester.username}`,
      endedBy: sql<string | null>`${ender.username}`,
    })
    .from(legalHold)
    .leftJoin(userNames, eq(userNames.userId, legalHold.setById))
    .leftJoin(requester, eq(requester.userId, legalHold.releaseRequestedById))
    .leftJoin(ender, eq(ender.userId, legalHold.endedById))
    .orderBy(desc(isNull(legalHold.endedAt)), desc(legalHold.setAt), desc(legalHold.id))
    .limit(MOST_LISTED);
}

/** Holds that have not ended, for the limit of holds. */
export const openHolds = (on: Executor): SQL =>
  on.select({ id: legalHold.id }).from(legalHold).where(isNull(legalHold.endedAt)).getSQL();

export async function insertHold(
  tx: Transaction,
  hold: typeof legalHold.$inferInsert,
  subjects: readonly Pick<StoredSubject, 'kind' | 'subjectId'>[],
): Promise<void> {
  await tx.insert(legalHold).values(hold);
  if (subjects.length === 0) return;
  await tx
    .insert(legalHoldSubject)
    .values(subjects.map((subject) => ({ ...subject, holdId: hold.id, isNamed: true })))
    .onConflictDoNothing();
}

/** @throws PortalError 2003 if there is no such hold */
export async function lockHold(tx: Transaction, id: string): Promise<StoredHold> {
  const [found] = await tx.select().from(legalHold).where(eq(legalHold.id, id)).for('update');
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  return found;
}

export async function changeHold(
  tx: Transaction,
  id: string,
  change: Partial<Omit<StoredHold, 'id'>>,
): Promise<void> {
  await tx.update(legalHold).set(change).where(eq(legalHold.id, id));
}

/** Marks holds as ended whose time is over. */
export async function endExpired(tx: Transaction): Promise<StoredHold[]> {
  return tx
    .update(legalHold)
    .set({ endedAt: sql`${legalHold.until}` })
    .where(and(isNull(legalHold.endedAt), lte(legalHold.until, portalClock)))
    .returning();
}

/** Names of the standing holds that cover a person. */
export async function findHoldsOfPerson(
  on: Executor,
  {
    userId,
    customerIds,
  }: { readonly userId: string | null; readonly customerIds: readonly string[] },
): Promise<string[]> {
  const user = sql`${userId}::uuid`;
  const customers = sql`${sql.param([...customerIds])}::uuid[]`;
  const rows = await on
    .select({ name: legalHold.name })
    .from(legalHold)
    .where(and(isStanding, coversPerson(user, customers)))
    .orderBy(asc(legalHold.setAt));
  return rows.map(({ name }) => name);
}

/** Whether a standing hold covers a device. */
export async function isDeviceHeld(on: Executor, deviceId: string): Promise<boolean> {
  const rows = await on
    .select({ id: legalHold.id })
    .from(legalHold)
    .where(
      and(
        isStanding,
        sql`(not ${legalHold.isLimited} or exists (select from ${legalHoldSubject}
          where ${legalHoldSubject.holdId} = ${legalHold.id} and ${legalHoldSubject.kind} = 'device'
            and ${legalHoldSubject.subjectId} = ${deviceId}::uuid))`,
      ),
    )
    .limit(1);
  return rows.length > 0;
}

export async function isAnyHoldStanding(on: Executor): Promise<boolean> {
  const rows = await on.select({ id: legalHold.id }).from(legalHold).where(isStanding).limit(1);
  return rows.length > 0;
}
