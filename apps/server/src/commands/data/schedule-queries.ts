import { and, asc, desc, eq, inArray, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { CommandTarget } from '@deviceportal/contract/command-targets';
import { scopesOf } from '@deviceportal/contract/permissions';
import { bondOf, accessGrantRuns } from '../../access/data/access-grant-bonds.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import { builtOnce } from '../../platform/database/built-once.ts';
import {
  containsWanted,
  rowsOfEach,
  wantedParams,
  wantedPosition,
  wantedTexts,
} from '../../platform/database/contains-wanted.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { onceGiven } from '../../platform/database/once-given.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { runSchedule } from './commands-tables.ts';

type ScheduleRow = Readonly<typeof runSchedule.$inferSelect>;
export type StoredSchedule = Awaited<ReturnType<typeof selectSchedules>>[number];

type NewSchedule = Omit<
  ScheduleRow,
  'state' | 'exceedingCount' | 'lastAt' | 'lastRunId' | 'lastError' | 'accessGrantId'
> &
  Pick<StoredSchedule, 'bond'>;

/** False if a schedule with this ID exists. */
export async function insertSchedule(
  on: Executor,
  { bond, ...schedule }: NewSchedule,
): Promise<boolean> {
  const { rowCount } = await on
    .insert(runSchedule)
    .values({ ...schedule, state: 'active', accessGrantId: bond?.accessGrantId ?? null })
    .onConflictDoNothing({ target: runSchedule.id });
  return rowCount === 1;
}

interface SchedulePage {
  readonly where: SQL | undefined;
  /** False if the target is not needed: a fixed target can contain 100,000 IDs. */
  readonly withTarget: boolean;
  readonly limit: number;
}

const noTarget = sql<CommandTarget>`'null'::jsonb`;

async function selectSchedules(on: Executor, { where, withTarget, limit }: SchedulePage) {
  const rows = await on
    .select({
      id: runSchedule.id,
      name: runSchedule.name,
      command: runSchedule.command,
      documentName: runSchedule.documentName,
      documentVersion: runSchedule.documentVersion,
      consequence: runSchedule.consequence,
      parameters: runSchedule.parameters,
      maskedParameters: runSchedule.maskedParameters,
      target: withTarget ? sql<CommandTarget>`${runSchedule.target}` : noTarget,
      frozenCount: runSchedule.frozenCount,
      maxDevices: runSchedule.maxDevices,
      exceedingCount: runSchedule.exceedingCount,
      maxConcurrency: runSchedule.maxConcurrency,
      maxErrors: runSchedule.maxErrors,
      timeoutSeconds: runSchedule.timeoutSeconds,
      comment: runSchedule.comment,
      times: runSchedule.times,
      missed: runSchedule.missed,
      state: runSchedule.state,
      nextAt: runSchedule.nextAt,
      lastAt: runSchedule.lastAt,
      lastRunId: runSchedule.lastRunId,
      lastError: runSchedule.lastError,
      createdById: runSchedule.createdById,
      createdBy: runSchedule.createdBy,
      /** The creator's `sub`. Each run requires their current permissions. */
      createdBySubject: runSchedule.createdBySubject,
      createdAt: runSchedule.createdAt,
      /** Null in schedules created before signatures existed. */
      authorization: runSchedule.authorization,
      bond: bondOf(runSchedule.accessGrantId),
      /** False after the temporary access by which it was created has ended. */
      inForce: sql<boolean>`${accessGrantRuns(runSchedule.accessGrantId)}`,
    })
    .from(runSchedule)
    .where(where)
    .orderBy(
      sql`${runSchedule.nextAt} nulls last`,
      desc(runSchedule.createdAt),
      asc(runSchedule.id),
    )
    .limit(limit);
  return rows.map((row): typeof row => (row.inForce ? row : { ...row, state: 'done' }));
}

/** Schedules visible to a viewer: their own, or all with permission to see commands on all devices. */
const seesAllSchedules = (viewer: Viewer): boolean =>
  scopesOf(viewer.grants, ['commands:read']).some(isEverywhere);

const scheduleVisibility = (viewer: Viewer): SQL | undefined =>
  seesAllSchedules(viewer) ? undefined : eq(runSchedule.createdById, viewer.userId);

/** Visible schedules without their targets, next run first. */
export const listVisibleSchedules = (on: Executor, viewer: Viewer, limit: number) =>
  selectSchedules(on, { where: scheduleVisibility(viewer), withTarget: false, limit });

/** Without its target; undefined if it is not visible. */
export async function findVisibleSchedule(on: Executor, viewer: Viewer, id: string) {
  const where = and(eq(runSchedule.id, id), scheduleVisibility(viewer));
  const [found] = await selectSchedules(on, { where, withTarget: false, limit: 1 });
  return found;
}

export async function findSchedule(on: Executor, id: string) {
  const where = eq(runSchedule.id, id);
  const [found] = await selectSchedules(on, { where, withTarget: true, limit: 1 });
  return found;
}

export const findDueSchedules = (on: Executor, now: Date, limit: number) =>
  selectSchedules(on, {
    where: and(eq(runSchedule.state, 'active'), lte(runSchedule.nextAt, now)),
    withTarget: true,
    limit,
  });

/** Maximum number of schedules found for a text. */
const MAX_FOUND = 100;

const schedulesByWords = builtOnce((on) => {
  const { id, name, command, state } = runSchedule;
  const searched = sql`lower(${name} || ' ' || ${command} || ' ' || ${id}::text)`;
  const isVisible = or(
    onceGiven('seesAll', 'boolean'),
    sql`${runSchedule.createdById} = ${onceGiven('userId', 'uuid')}`,
  );
  const found = on
    .select({ id, name, command, state })
    .from(runSchedule)
    .where(and(isVisible, containsWanted(searched)))
    .orderBy(desc(runSchedule.createdAt))
    .limit(MAX_FOUND)
    .as('found');
  return on
    .select({
      position: wantedPosition,
      id: found.id,
      name: found.name,
      command: found.command,
      state: found.state,
    })
    .from(wantedTexts)
    .crossJoinLateral(found)
    .prepare('schedules-by-words');
});

/** For each of some texts, the visible schedules whose name, command, or ID contains each of its words. */
export async function searchSchedules(on: Executor, viewer: Viewer, texts: readonly string[]) {
  const rows = await schedulesByWords(on).execute({
    ...wantedParams(texts),
    seesAll: seesAllSchedules(viewer),
    userId: viewer.userId,
  });
  return rowsOfEach(texts, rows);
}

/** Schedules created by temporary access, newest first. */
export async function listSchedulesOfAccessGrant(
  on: Executor,
  accessGrantId: string,
  limit: number,
) {
  return on
    .select({
      id: runSchedule.id,
      name: runSchedule.name,
      at: runSchedule.createdAt,
      inForce: sql<boolean>`${ne(runSchedule.state, 'done')} and ${accessGrantRuns(runSchedule.accessGrantId)}`,
    })
    .from(runSchedule)
    .where(eq(runSchedule.accessGrantId, accessGrantId))
    .orderBy(desc(runSchedule.createdAt), desc(runSchedule.id))
    .limit(limit);
}

/** Schedules of a user except one, for the limit of schedules. */
export const otherSchedules = (userId: string, id: string): SQL =>
  new QueryBuilder()
    .select({ id: runSchedule.id })
    .from(runSchedule)
    .where(and(eq(runSchedule.createdById, userId), ne(runSchedule.id, id)))
    .getSQL();

/** Returns whether it was active. */
export async function markPaused(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx
    .update(runSchedule)
    .set({ state: 'paused', nextAt: null })
    .where(and(eq(runSchedule.id, id), eq(runSchedule.state, 'active')));
  return rowCount === 1;
}

export async function countActiveSchedules(on: Executor, userId: string): Promise<number> {
  return on.$count(
    runSchedule,
    and(eq(runSchedule.createdById, userId), eq(runSchedule.state, 'active')),
  );
}

/** Pauses the active schedules of a user. */
export async function markAllPaused(tx: Transaction, userId: string) {
  return tx
    .update(runSchedule)
    .set({ state: 'paused', nextAt: null })
    .where(and(eq(runSchedule.createdById, userId), eq(runSchedule.state, 'active')))
    .returning({ id: runSchedule.id, name: runSchedule.name, command: runSchedule.command });
}

export async function deleteScheduleRow(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx.delete(runSchedule).where(eq(runSchedule.id, id));
  return rowCount === 1;
}

interface Resumption {
  readonly id: string;
  readonly nextAt: Date;
  /** A schedule without a signature is being signed, and can be active. */
  readonly isSigning: boolean;
  /** Null for no change. */
  readonly maxDevices: number | null;
  /** Null for no change. */
  readonly authorization: ScheduleRow['authorization'];
}

/** False if it is not paused, or the temporary access by which it was created has ended. */
export async function markResumed(
  tx: Transaction,
  { id, nextAt, isSigning, maxDevices, authorization }: Resumption,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(runSchedule)
    .set({
      state: 'active',
      nextAt,
      exceedingCount: null,
      ...(isSigning && { lastError: null }),
      ...(maxDevices !== null && { maxDevices }),
      ...(authorization !== null && { authorization }),
    })
    .where(
      and(
        eq(runSchedule.id, id),
        inArray(runSchedule.state, isSigning ? ['active', 'paused'] : ['paused']),
        accessGrantRuns(runSchedule.accessGrantId),
      ),
    );
  return rowCount === 1;
}

/** Advances a schedule to its next run. False if another server has done so, or it has been paused. */
export async function moveScheduleOn(
  tx: Transaction,
  { id, dueAt }: { readonly id: string; readonly dueAt: Date },
  next: Pick<ScheduleRow, 'nextAt' | 'state' | 'lastRunId' | 'lastError' | 'exceedingCount'>,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(runSchedule)
    .set({ ...next, lastAt: dueAt })
    .where(
      and(eq(runSchedule.id, id), eq(runSchedule.state, 'active'), eq(runSchedule.nextAt, dueAt)),
    );
  return rowCount === 1;
}
