import { and, asc, desc, eq, gt, sql, type SQL } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { DocumentPhases } from '@deviceportal/contract/document-phases';
import type { Scope } from '@deviceportal/contract/permissions';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { invocationState, type InvocationState } from '@deviceportal/contract/states';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { documentVersions } from '../../documents/data/document-versions.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { namedRows } from '../../platform/database/named-rows.ts';
import type { MomentCursor } from '../../platform/moment-cursor.ts';
import { commandRun, invocation } from './commands-tables.ts';

/** An invocation with its run and device. Secrets in its output are not masked. */
export type StoredInvocation = Awaited<ReturnType<typeof selectInvocations>>[number];

interface DocumentSteps {
  readonly mainSteps: readonly DocumentStep[];
  readonly phases: DocumentPhases;
}

interface InvocationPage {
  readonly scopes: readonly Scope[];
  readonly where: SQL | undefined;
  readonly orderBy: readonly SQL[];
  readonly limit: number;
  /** Whether to load the steps of the document, for a single invocation. */
  readonly withSteps?: boolean;
}

const build = new QueryBuilder();
const noSteps = sql<DocumentSteps | null>`null::json`;

const stepsOfDocument = sql<DocumentSteps | null>`(${build
  .select({
    steps: sql`json_build_object('mainSteps', ${documentVersions.parsed}->'mainSteps', 'phases', ${documentVersions.phases})`,
  })
  .from(documentVersions)
  .where(
    and(
      eq(documentVersions.documentName, commandRun.documentName),
      eq(documentVersions.version, commandRun.documentVersion),
    ),
  )})`;

async function selectInvocations(
  on: Executor,
  { scopes, where, orderBy, limit, withSteps = false }: InvocationPage,
) {
  return on
    .select({
      id: invocation.id,
      runId: invocation.runId,
      command: commandRun.command,
      documentName: commandRun.documentName,
      documentVersion: commandRun.documentVersion,
      deviceId: invocation.deviceId,
      deviceName: deviceRecords.name,
      serialNumber: deviceRecords.serialNumber,
      instanceId: invocation.instanceId,
      state: invocation.state,
      statusDetails: invocation.statusDetails,
      attempt: invocation.attempt,
      responseCode: invocation.responseCode,
      queuedAt: invocation.queuedAt,
      queuedAtText: sql<string>`${invocation.queuedAt}::text`,
      sentAt: invocation.sentAt,
      startedAt: invocation.startedAt,
      endedAt: invocation.endedAt,
      createdBy: commandRun.createdBy,
      parameters: commandRun.maskedParameters,
      storedParameters: commandRun.parameters,
      outputPreview: invocation.outputPreview,
      stdoutLength: invocation.stdoutLength,
      stderrLength: invocation.stderrLength,
      outputTruncated: invocation.outputTruncated,
      deliverBefore: invocation.deliverBefore,
      expiresAt: invocation.expiresAt,
      newsAt: invocation.newsAt,
      consequence: commandRun.consequence,
      comment: commandRun.comment,
      /** The run that this one undoes. */
      undoes: commandRun.undoesRunId,
      connectivity: deviceConnections.connectivity,
      connectivitySince: deviceConnections.connectivitySince,
      reportedSteps: invocation.steps,
      documentSteps: withSteps ? stepsOfDocument : noSteps,
    })
    .from(invocation)
    .innerJoin(commandRun, eq(commandRun.id, invocation.runId))
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, invocation.deviceId))
    .where(and(where, deviceScopeCondition(scopes, deviceRecords)))
    .orderBy(...orderBy)
    .limit(limit);
}

/** With the steps of its document. */
export async function findInvocation(
  on: Executor,
  scopes: readonly Scope[],
  id: string,
): Promise<StoredInvocation | undefined> {
  const [found] = await selectInvocations(on, {
    scopes,
    where: eq(invocation.id, id),
    orderBy: [asc(invocation.id)],
    limit: 1,
    withSteps: true,
  });
  return found;
}

export async function isInvocationWithin(
  on: Executor,
  scopes: readonly Scope[],
  id: string,
): Promise<boolean> {
  return (await findInvocationStates(on, scopes, [id])).length > 0;
}

export const findInvocationsById = (
  on: Executor,
  scopes: readonly Scope[],
  ids: readonly string[],
): Promise<StoredInvocation[]> =>
  selectInvocations(on, {
    scopes,
    where: isAnyOf(invocation.id, ids),
    orderBy: [asc(invocation.id)],
    limit: ids.length,
  });

/** A page of a run, sorted by ID. */
export const listInvocationsOfRun = (
  on: Executor,
  scopes: readonly Scope[],
  page: {
    readonly runId: string;
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<StoredInvocation[]> =>
  selectInvocations(on, {
    scopes,
    where: and(
      eq(invocation.runId, page.runId),
      page.after === undefined ? undefined : gt(invocation.id, page.after),
    ),
    orderBy: [asc(invocation.id)],
    limit: page.limit,
  });

/** Null or empty fields do not limit. */
export interface InvocationFilter {
  readonly runId: string | null;
  readonly deviceId: string | null;
  readonly states: readonly string[];
  readonly queuedBefore: string | null;
  readonly after: MomentCursor | null;
}

/** Newest first. */
export function listInvocationPage(
  on: Executor,
  scopes: readonly Scope[],
  { filter, limit }: { readonly filter: InvocationFilter; readonly limit: number },
): Promise<StoredInvocation[]> {
  const { runId, deviceId, states, queuedBefore, after } = filter;
  // All invocations of a run are queued at the same time, so the run's index already sorts by ID.
  if (runId !== null && deviceId === null && queuedBefore === null) {
    const where = isAmongNewest({ ...filter, runId, scopes, limit });
    return selectInvocations(on, { scopes, where, orderBy: [desc(invocation.id)], limit });
  }
  const where = and(
    deviceId === null ? undefined : eq(invocation.deviceId, deviceId),
    runId === null ? undefined : eq(invocation.runId, runId),
    states.length === 0
      ? undefined
      : isAnyOf(invocation.state, states as readonly InvocationState[]),
    queuedBefore === null ? undefined : sql`${invocation.queuedAt} < ${queuedBefore}::timestamptz`,
    after === null
      ? undefined
      : sql`(${invocation.queuedAt}, ${invocation.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
  );
  const orderBy = [desc(invocation.queuedAt), desc(invocation.id)];
  return selectInvocations(on, { scopes, where, orderBy, limit });
}

/**
 * Selects by state in the order of the run's index. Sorted by ID alone, the planner would scan the primary key of all
 * invocations if only few of the run are in such a state.
 */
function isAmongNewest(page: {
  readonly runId: string;
  readonly states: readonly string[];
  readonly after: MomentCursor | null;
  readonly scopes: readonly Scope[];
  readonly limit: number;
}): SQL {
  const { runId, after, scopes, limit } = page;
  const states = page.states.length > 0 ? page.states : Object.keys(invocationState);
  const wanted = namedRows(
    'wanted',
    { state: 'text' },
    [...new Set(states)].map((state) => ({ state })),
  );
  const one = alias(invocation, 'one');
  const newest = build
    .select({ id: one.id })
    .from(one)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, one.deviceId))
    .where(
      and(
        eq(one.runId, runId),
        eq(one.state, wanted.columns.state),
        after === null ? undefined : sql`${one.id} < ${after.id}::uuid`,
        deviceScopeCondition(scopes, deviceRecords),
      ),
    )
    .orderBy(desc(one.runId), desc(one.state), desc(one.id))
    .limit(limit)
    .as('newest');
  const ids = build
    .select({ id: newest.id })
    .from(wanted.source)
    .crossJoinLateral(newest)
    .orderBy(desc(newest.id))
    .limit(limit);
  return sql`${invocation.id} = any(array(${ids.getSQL()}))`;
}

export async function findInvocationStates(
  on: Executor,
  scopes: readonly Scope[],
  ids: readonly string[],
) {
  return on
    .select({
      id: invocation.id,
      runId: invocation.runId,
      state: invocation.state,
      statusDetails: invocation.statusDetails,
    })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(and(isAnyOf(invocation.id, ids), deviceScopeCondition(scopes, deviceRecords)));
}

/** Platforms of invocations and the parameters of their runs, for masking secrets in output. */
export async function findInvocationParameters(
  on: Executor,
  scopes: readonly Scope[],
  ids: readonly string[],
) {
  return on
    .select({
      id: invocation.id,
      deviceId: invocation.deviceId,
      runId: invocation.runId,
      parameters: commandRun.parameters,
    })
    .from(invocation)
    .innerJoin(commandRun, eq(commandRun.id, invocation.runId))
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(and(isAnyOf(invocation.id, ids), deviceScopeCondition(scopes, deviceRecords)));
}

const MAX_CANDIDATES = 12;

/**
 * The last finished commands of devices, newest first, in one statement; only the newest of a device are considered.
 */
export async function findLastResults(on: Executor, deviceIds: readonly string[], count: number) {
  if (deviceIds.length === 0) return [];
  const wanted = namedRows(
    'wanted',
    { deviceId: 'uuid' },
    deviceIds.map((deviceId) => ({ deviceId })),
  );
  const newest = build
    .select({
      invocationId: invocation.id,
      runId: invocation.runId,
      state: invocation.state,
      statusDetails: invocation.statusDetails,
      responseCode: invocation.responseCode,
      queuedAt: invocation.queuedAt,
      endedAt: invocation.endedAt,
    })
    .from(invocation)
    .where(eq(invocation.deviceId, wanted.columns.deviceId))
    .orderBy(desc(invocation.queuedAt), desc(invocation.id))
    .limit(MAX_CANDIDATES)
    .as('newest');
  const ended = build
    .select()
    .from(newest)
    .where(sql`${newest.endedAt} is not null`)
    .orderBy(desc(newest.queuedAt), desc(newest.invocationId))
    .limit(count)
    .as('ended');
  return on
    .select({
      deviceId: sql<string>`${wanted.columns.deviceId}`,
      invocationId: ended.invocationId,
      command: commandRun.command,
      state: ended.state,
      statusDetails: ended.statusDetails,
      responseCode: ended.responseCode,
      endedAt: sql<Date>`${ended.endedAt}`.mapWith(invocation.endedAt),
    })
    .from(wanted.source)
    .crossJoinLateral(ended)
    .innerJoin(commandRun, eq(commandRun.id, ended.runId))
    .orderBy(asc(wanted.columns.deviceId), desc(ended.queuedAt), desc(ended.invocationId));
}
