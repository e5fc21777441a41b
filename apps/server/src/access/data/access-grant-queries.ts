import { and, desc, eq, gt, inArray, lte, or, sql, type SQL } from 'drizzle-orm';
import {
  ACCESS_GRANT_ANSWER_HOURS,
  type AccessGrantEnd,
  type AccessGrantRow,
} from '@deviceportal/contract/access-grants';
import { portalClock, portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOrNull, type MomentCursor } from '../../platform/moment-cursor.ts';
import { accessGrant, portalUser } from './access-tables.ts';

type AccessGrant = typeof accessGrant.$inferSelect;

/** The stored request with the user who made it. */
export interface StoredAccessGrant extends Omit<AccessGrantRow, 'mine' | 'obstacle'> {
  /** The `sub` of the requester. */
  readonly subject: string;
  /** Time of the request as PostgreSQL text, for the cursor of the next page. */
  readonly askedAtText: string;
}

export interface AccessGrantFilter {
  readonly ids?: readonly string[];
  readonly userId?: string | undefined;
  readonly roleId?: string;
  readonly caseId?: string;
  /** Pending or in effect. */
  readonly open?: boolean;
  readonly after?: MomentCursor | null;
}

const isOpen = inArray(accessGrant.state, ['waiting', 'running']);
const isWaiting = eq(accessGrant.state, 'waiting');

/** Whether its time, or the time to decide on it, has expired. */
const isDue = or(
  and(eq(accessGrant.state, 'running'), lte(accessGrant.endsAt, portalClock)),
  and(
    isWaiting,
    sql`${accessGrant.askedAt} <= ${portalClock} - make_interval(hours => ${ACCESS_GRANT_ANSWER_HOURS})`,
  ),
);

const conditionOf = ({ ids, userId, roleId, caseId, open, after }: AccessGrantFilter) =>
  and(
    ids === undefined ? undefined : inArray(accessGrant.id, [...ids]),
    userId === undefined ? undefined : eq(accessGrant.userId, userId),
    roleId === undefined ? undefined : eq(accessGrant.roleId, roleId),
    caseId === undefined ? undefined : eq(accessGrant.caseId, caseId),
    open === true ? isOpen : undefined,
    after === undefined || after === null
      ? undefined
      : sql`(${accessGrant.askedAt}, ${accessGrant.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
  );

const selectStored = (on: Executor) =>
  on
    .select({
      id: accessGrant.id,
      userId: accessGrant.userId,
      username: portalUser.username,
      subject: portalUser.subject,
      roleId: accessGrant.roleId,
      roleName: accessGrant.roleName,
      permissions: accessGrant.permissions,
      scope: accessGrant.scope,
      reason: accessGrant.reason,
      minutes: accessGrant.minutes,
      caseId: accessGrant.caseId,
      state: accessGrant.state,
      askedAt: accessGrant.askedAt,
      askedAtText: sql<string>`${accessGrant.askedAt}::text`,
      decidedAt: accessGrant.decidedAt,
      decidedBy: accessGrant.decidedBy,
      note: accessGrant.note,
      endsAt: accessGrant.endsAt,
      endedAt: accessGrant.endedAt,
      endedBy: accessGrant.endedBy,
      endReason: accessGrant.endReason,
    })
    .from(accessGrant)
    .innerJoin(portalUser, eq(portalUser.id, accessGrant.userId));

/** Newest first. */
export async function selectAccessGrants(
  on: Executor,
  filter: AccessGrantFilter,
  limit: number,
): Promise<StoredAccessGrant[]> {
  const rows = await selectStored(on)
    .where(conditionOf(filter))
    .orderBy(desc(accessGrant.askedAt), desc(accessGrant.id))
    .limit(limit);
  return rows.map(withTimes);
}

/** Locked until the transaction ends. */
export async function lockAccessGrant(
  tx: Transaction,
  id: string,
): Promise<StoredAccessGrant | undefined> {
  const [found] = await selectStored(tx)
    .where(eq(accessGrant.id, id))
    .for('update', { of: accessGrant });
  return found && withTimes(found);
}

/** Recent requests of a user, for the limit of requests. */
export const recentAccessRequests = (on: Executor, userId: string): SQL =>
  on
    .select({ id: accessGrant.id })
    .from(accessGrant)
    .where(
      and(
        eq(accessGrant.userId, userId),
        gt(accessGrant.askedAt, sql`${portalNow} - interval '1 day'`),
      ),
    )
    .getSQL();

/** False if the user has already requested the role or has it. */
export async function insertAccessGrant(
  tx: Transaction,
  asked: Pick<
    AccessGrant,
    'id' | 'userId' | 'roleId' | 'roleName' | 'permissions' | 'scope' | 'reason' | 'minutes'
  > & { readonly caseId: string | null },
): Promise<boolean> {
  const { id, userId, roleId, roleName, permissions, scope, reason, minutes, caseId } = asked;
  const { rowCount } = await tx
    .insert(accessGrant)
    .values({
      ...{ id, userId, roleId, roleName, permissions, scope, reason, minutes, caseId },
      state: 'waiting',
      askedAt: portalClock,
    })
    .onConflictDoNothing({
      target: [accessGrant.userId, accessGrant.roleId],
      where: sql`${accessGrant.state} in ('waiting', 'running')`,
    });
  return (rowCount ?? 0) > 0;
}

/**
 * Starts temporary access for a number of minutes, by the clock of the database, which also decides when it has ended.
 */
export async function markRunning(
  tx: Transaction,
  id: string,
  given: Pick<AccessGrantRow, 'permissions' | 'minutes'> & { readonly by: string },
): Promise<void> {
  await tx
    .update(accessGrant)
    .set({
      state: 'running',
      decidedBy: given.by,
      minutes: given.minutes,
      permissions: given.permissions,
      decidedAt: sql`moment.at`,
      endsAt: sql`moment.at + make_interval(mins => ${given.minutes})`,
    })
    .from(sql`(select ${portalClock} as at) moment`)
    .where(eq(accessGrant.id, id));
}

export async function markRefused(
  tx: Transaction,
  id: string,
  { by, note }: { readonly by: string; readonly note: string },
): Promise<void> {
  await tx
    .update(accessGrant)
    .set({ state: 'refused', decidedBy: by, note, decidedAt: portalClock })
    .where(eq(accessGrant.id, id));
}

/** Withdraws pending requests and ends temporary access in effect. Returns the rows as they were before. */
export async function markEnded(
  tx: Transaction,
  which: AccessGrantFilter,
  { by, reason }: { readonly by: string; readonly reason: AccessGrantEnd },
): Promise<StoredAccessGrant[]> {
  const open = await selectStored(tx)
    .where(and(isOpen, conditionOf(which)))
    .for('update', { of: accessGrant });
  if (open.length === 0) return [];
  await tx
    .update(accessGrant)
    .set({
      state: sql`case when ${isWaiting} then 'withdrawn' else 'ended' end`,
      endedAt: portalClock,
      endedBy: by,
      endReason: reason,
    })
    .where(
      inArray(
        accessGrant.id,
        open.map(({ id }) => id),
      ),
    );
  return open.map(withTimes);
}

export async function hasDue(on: Executor): Promise<boolean> {
  const rows = await on
    .select({ id: accessGrant.id })
    .from(accessGrant)
    .where(and(isOpen, isDue))
    .limit(1);
  return rows.length > 0;
}

/** Ends expired temporary access with its expiry time, and marks pending requests without a decision as expired. */
export async function markDue(tx: Transaction): Promise<StoredAccessGrant[]> {
  const due = tx
    .select({ id: accessGrant.id })
    .from(accessGrant)
    .where(isDue)
    .for('update', { skipLocked: true });
  const ended = await tx
    .update(accessGrant)
    .set({
      state: sql`case when ${isWaiting} then 'lapsed' else 'ended' end`,
      endedAt: sql`case when ${isWaiting} then ${portalClock} else ${accessGrant.endsAt} end`,
      endReason: 'time',
    })
    .where(inArray(accessGrant.id, due))
    .returning({ id: accessGrant.id });
  const ids = ended.map(({ id }) => id);
  return ids.length === 0 ? [] : selectAccessGrants(tx, { ids }, ids.length);
}

type Row = Awaited<ReturnType<typeof selectStored>>[number];

const withTimes = (row: Row): StoredAccessGrant => ({
  ...row,
  askedAt: row.askedAt.toISOString(),
  decidedAt: isoOrNull(row.decidedAt),
  endsAt: isoOrNull(row.endsAt),
  endedAt: isoOrNull(row.endedAt),
});
