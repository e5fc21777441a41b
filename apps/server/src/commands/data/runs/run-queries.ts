import { and, desc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { everywhere, type Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { commandRun, invocation } from '../commands-tables.ts';
import { runConditions, type RunFilter } from './run-conditions.ts';
import { runCountersIn } from './run-counters.ts';
import { devicesBeyond, isRunVisible, isRunWithin } from './runs-within.ts';

export type FoundRun = Awaited<ReturnType<typeof selectRuns>>[number];

interface RunPage {
  /** Scopes in which target devices are visible. */
  readonly scopes: readonly Scope[];
  readonly where: SQL | undefined;
  readonly limit: number;
}

async function selectRuns(on: Executor, { scopes, where, limit }: RunPage) {
  const page = on
    .select()
    .from(commandRun)
    .where(where)
    .orderBy(desc(commandRun.createdAt), desc(commandRun.id))
    .limit(limit)
    .as('page');
  const seen = runCountersIn(scopes, page);
  const single = on
    .select({
      invocationId: invocation.id,
      deviceId: invocation.deviceId,
      deviceName: deviceRecords.name,
      serialNumber: deviceRecords.serialNumber,
    })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(
      and(
        eq(seen.target, 1),
        eq(invocation.runId, page.id),
        deviceScopeCondition(scopes, deviceRecords),
      ),
    )
    .limit(1)
    .as('single');
  return on
    .select({
      id: page.id,
      command: page.command,
      documentName: page.documentName,
      documentVersion: page.documentVersion,
      consequence: page.consequence,
      state: page.state,
      statusDetails: page.statusDetails,
      parameters: page.maskedParameters,
      comment: page.comment,
      counters: seen.counters,
      undoes: page.undoesRunId,
      createdBy: page.createdBy,
      createdAt: page.createdAt,
      createdAtText: sql<string>`${page.createdAt}::text`,
      endedAt: page.endedAt,
      expiresAt: page.expiresAt,
      maxConcurrency: page.maxConcurrency,
      maxErrors: page.maxErrors,
      timeoutSeconds: page.timeoutSeconds,
      pausedBy: page.pausedBy,
      pausedAt: page.pausedAt,
      invocationId: single.invocationId,
      deviceId: single.deviceId,
      deviceName: single.deviceName,
      serialNumber: single.serialNumber,
    })
    .from(page)
    .crossJoinLateral(seen)
    .leftJoinLateral(single, sql`true`)
    .orderBy(desc(page.createdAt), desc(page.id));
}

/** Runs within the scopes, newest first. */
export const listRunPage = (
  on: Executor,
  scopes: readonly Scope[],
  { filter, limit }: { readonly filter: RunFilter; readonly limit: number },
): Promise<FoundRun[]> => selectRuns(on, { scopes, where: runConditions(scopes, filter), limit });

/** Those of the runs that are visible. */
export const findRunsById = (
  on: Executor,
  scopes: readonly Scope[],
  ids: readonly string[],
): Promise<FoundRun[]> =>
  selectRuns(on, {
    scopes,
    where: and(isAnyOf(commandRun.id, ids), isRunVisible(scopes)),
    limit: ids.length,
  });

/** @param scopes absent if the caller has checked them */
export async function findRun(
  on: Executor,
  id: string,
  scopes: readonly Scope[] = [everywhere],
): Promise<FoundRun | undefined> {
  const where = and(eq(commandRun.id, id), isRunVisible(scopes));
  const [found] = await selectRuns(on, { scopes, where, limit: 1 });
  return found;
}

/** A run as needed for actions on it; secret parameters are encrypted as stored. */
export type StoredRun = NonNullable<Awaited<ReturnType<typeof findStoredRun>>>;

export async function findStoredRun(on: Executor, id: string, scopes: readonly Scope[]) {
  const [found] = await on
    .select({
      id: commandRun.id,
      command: commandRun.command,
      documentName: commandRun.documentName,
      documentVersion: commandRun.documentVersion,
      parameters: commandRun.parameters,
      maskedParameters: commandRun.maskedParameters,
      maxConcurrency: commandRun.maxConcurrency,
      maxErrors: commandRun.maxErrors,
      timeoutSeconds: commandRun.timeoutSeconds,
      comment: commandRun.comment,
      state: commandRun.state,
      consequence: commandRun.consequence,
      /** The run that this one undoes. */
      undoes: commandRun.undoesRunId,
    })
    .from(commandRun)
    .where(and(eq(commandRun.id, id), isRunVisible(scopes)));
  return found;
}

/** Whether all devices of the run are within the scopes. */
export async function isWholeRunWithin(
  on: Executor,
  scopes: readonly Scope[],
  runId: string,
): Promise<boolean> {
  const beyond = await on
    .select({ id: sql`id` })
    .from(devicesBeyond(scopes, runId).limit(1).as('beyond'));
  return beyond.length === 0;
}

/** Open runs of a user, for the limit of open runs. */
export const openRunsOf = (userId: string): SQL =>
  new QueryBuilder()
    .select({ id: commandRun.id })
    .from(commandRun)
    .where(and(eq(commandRun.createdById, userId), isNull(commandRun.endedAt)))
    .getSQL();

/** Those of the runs with a device in scope. */
export async function findRunsWithin(
  on: Executor,
  scopes: readonly Scope[],
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await on
    .select({ id: commandRun.id })
    .from(commandRun)
    .where(and(isAnyOf(commandRun.id, ids), isRunWithin(scopes, commandRun.id)));
  return rows.map(({ id }) => id);
}

/** States of runs with counts of their devices in scope; runs without such a device are omitted. */
export async function findRunStates(
  on: Executor,
  scopes: readonly Scope[],
  ids: readonly string[],
) {
  const seen = runCountersIn(scopes);
  return on
    .select({
      id: commandRun.id,
      state: commandRun.state,
      statusDetails: commandRun.statusDetails,
      counters: seen.counters,
    })
    .from(commandRun)
    .crossJoinLateral(seen)
    .where(and(isAnyOf(commandRun.id, ids), gt(seen.target, 0)));
}

/**
 * Number of invocations of a run that can be in progress now, for a viewer who sees the given number of its devices.
 */
export async function findRampLimit(
  on: Executor,
  id: string,
  { targetCount, noRamp }: { readonly targetCount: number; readonly noRamp: number },
): Promise<number | undefined> {
  const [found] = await on
    .select({
      rampLimit: sql<number>`case when ${commandRun.targetCount} = ${targetCount}
        then ${commandRun.rampLimit} else ${noRamp}::int end`,
    })
    .from(commandRun)
    .where(eq(commandRun.id, id));
  return found?.rampLimit;
}
