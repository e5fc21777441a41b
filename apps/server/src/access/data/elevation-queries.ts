import { and, desc, eq, gt, inArray, lte, or, sql, type SQL } from 'drizzle-orm';
import {
  ELEVATION_ANSWER_HOURS,
  type ElevationEnd,
  type ElevationRow,
} from '@deviceportal/contract/elevations';
import { portalClock, portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOrNull, type MomentCursor } from '../../platform/moment-cursor.ts';
import { elevation, portalUser } from './access-tables.ts';

type Elevation = typeof elevation.$inferSelect;

/** As it is stored, with the user who asked for it. */
export interface StoredElevation extends Omit<ElevationRow, 'mine' | 'obstacle'> {
  /** The `sub` of the user who asked. */
  readonly subject: string;
  /** PostgreSQL's own text of when it was asked for, for the next page. */
  readonly askedAtText: string;
}

export interface ElevationFilter {
  readonly ids?: readonly string[];
  readonly userId?: string | undefined;
  readonly roleId?: string;
  readonly caseId?: string;
  /** Those that wait or are in force. */
  readonly open?: boolean;
  readonly after?: MomentCursor | null;
}

const isOpen = inArray(elevation.state, ['waiting', 'running']);
const isWaiting = eq(elevation.state, 'waiting');

/** Whether its time is over, or the time in which it was to be answered. */
const isDue = or(
  and(eq(elevation.state, 'running'), lte(elevation.endsAt, portalClock)),
  and(
    isWaiting,
    sql`${elevation.askedAt} <= ${portalClock} - make_interval(hours => ${ELEVATION_ANSWER_HOURS})`,
  ),
);

const conditionOf = ({ ids, userId, roleId, caseId, open, after }: ElevationFilter) =>
  and(
    ids === undefined ? undefined : inArray(elevation.id, [...ids]),
    userId === undefined ? undefined : eq(elevation.userId, userId),
    roleId === undefined ? undefined : eq(elevation.roleId, roleId),
    caseId === undefined ? undefined : eq(elevation.caseId, caseId),
    open === true ? isOpen : undefined,
    after === undefined || after === null
      ? undefined
      : sql`(${elevation.askedAt}, ${elevation.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
  );

const selectStored = (on: Executor) =>
  on
    .select({
      id: elevation.id,
      userId: elevation.userId,
      username: portalUser.username,
      subject: portalUser.subject,
      roleId: elevation.roleId,
      roleName: elevation.roleName,
      permissions: elevation.permissions,
      scope: elevation.scope,
      reason: elevation.reason,
      minutes: elevation.minutes,
      caseId: elevation.caseId,
      state: elevation.state,
      askedAt: elevation.askedAt,
      askedAtText: sql<string>`${elevation.askedAt}::text`,
      decidedAt: elevation.decidedAt,
      decidedBy: elevation.decidedBy,
      note: elevation.note,
      endsAt: elevation.endsAt,
      endedAt: elevation.endedAt,
      endedBy: elevation.endedBy,
      endReason: elevation.endReason,
    })
    .from(elevation)
    .innerJoin(portalUser, eq(portalUser.id, elevation.userId));

/** The newest first. */
export async function selectElevations(
  on: Executor,
  filter: ElevationFilter,
  limit: number,
): Promise<StoredElevation[]> {
  const rows = await selectStored(on)
    .where(conditionOf(filter))
    .orderBy(desc(elevation.askedAt), desc(elevation.id))
    .limit(limit);
  return rows.map(withTimes);
}

/** Locked until the transaction ends. */
export async function lockElevation(
  tx: Transaction,
  id: string,
): Promise<StoredElevation | undefined> {
  const [found] = await selectStored(tx)
    .where(eq(elevation.id, id))
    .for('update', { of: elevation });
  return found && withTimes(found);
}

/** What counts against the limit of requests for temporary access. */
export const askedLately = (on: Executor, userId: string): SQL =>
  on
    .select({ id: elevation.id })
    .from(elevation)
    .where(
      and(
        eq(elevation.userId, userId),
        gt(elevation.askedAt, sql`${portalNow} - interval '1 day'`),
      ),
    )
    .getSQL();

/** False where the user has asked for the role already, or holds it. */
export async function insertElevation(
  tx: Transaction,
  asked: Pick<
    Elevation,
    'id' | 'userId' | 'roleId' | 'roleName' | 'permissions' | 'scope' | 'reason' | 'minutes'
  > & { readonly caseId: string | null },
): Promise<boolean> {
  const { id, userId, roleId, roleName, permissions, scope, reason, minutes, caseId } = asked;
  const { rowCount } = await tx
    .insert(elevation)
    .values({
      ...{ id, userId, roleId, roleName, permissions, scope, reason, minutes, caseId },
      state: 'waiting',
      askedAt: portalClock,
    })
    .onConflictDoNothing({
      target: [elevation.userId, elevation.roleId],
      where: sql`${elevation.state} in ('waiting', 'running')`,
    });
  return (rowCount ?? 0) > 0;
}

/** From now on, for so many minutes: the database's clock says when it ends, as it says whether it has. */
export async function markRunning(
  tx: Transaction,
  id: string,
  given: Pick<ElevationRow, 'permissions' | 'minutes'> & { readonly by: string },
): Promise<void> {
  await tx
    .update(elevation)
    .set({
      state: 'running',
      decidedBy: given.by,
      minutes: given.minutes,
      permissions: given.permissions,
      decidedAt: sql`moment.at`,
      endsAt: sql`moment.at + make_interval(mins => ${given.minutes})`,
    })
    .from(sql`(select ${portalClock} as at) moment`)
    .where(eq(elevation.id, id));
}

export async function markRefused(
  tx: Transaction,
  id: string,
  { by, note }: { readonly by: string; readonly note: string },
): Promise<void> {
  await tx
    .update(elevation)
    .set({ state: 'refused', decidedBy: by, note, decidedAt: portalClock })
    .where(eq(elevation.id, id));
}

/** Those that wait are withdrawn, those in force have ended. Answers them as they were. */
export async function markEnded(
  tx: Transaction,
  which: ElevationFilter,
  { by, reason }: { readonly by: string; readonly reason: ElevationEnd },
): Promise<StoredElevation[]> {
  const open = await selectStored(tx)
    .where(and(isOpen, conditionOf(which)))
    .for('update', { of: elevation });
  if (open.length === 0) return [];
  await tx
    .update(elevation)
    .set({
      state: sql`case when ${isWaiting} then 'withdrawn' else 'ended' end`,
      endedAt: portalClock,
      endedBy: by,
      endReason: reason,
    })
    .where(
      inArray(
        elevation.id,
        open.map(({ id }) => id),
      ),
    );
  return open.map(withTimes);
}

export async function hasDue(on: Executor): Promise<boolean> {
  const rows = await on
    .select({ id: elevation.id })
    .from(elevation)
    .where(and(isOpen, isDue))
    .limit(1);
  return rows.length > 0;
}

/** Those whose time is over have ended at that time, however late it is noticed; who was not answered was not. */
export async function markDue(tx: Transaction): Promise<StoredElevation[]> {
  const due = tx
    .select({ id: elevation.id })
    .from(elevation)
    .where(isDue)
    .for('update', { skipLocked: true });
  const ended = await tx
    .update(elevation)
    .set({
      state: sql`case when ${isWaiting} then 'lapsed' else 'ended' end`,
      endedAt: sql`case when ${isWaiting} then ${portalClock} else ${elevation.endsAt} end`,
      endReason: 'time',
    })
    .where(inArray(elevation.id, due))
    .returning({ id: elevation.id });
  const ids = ended.map(({ id }) => id);
  return ids.length === 0 ? [] : selectElevations(tx, { ids }, ids.length);
}

type Row = Awaited<ReturnType<typeof selectStored>>[number];

const withTimes = (row: Row): StoredElevation => ({
  ...row,
  askedAt: row.askedAt.toISOString(),
  decidedAt: isoOrNull(row.decidedAt),
  endsAt: isoOrNull(row.endsAt),
  endedAt: isoOrNull(row.endedAt),
});
