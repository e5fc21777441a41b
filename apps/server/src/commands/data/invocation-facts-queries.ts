import { and, asc, desc, eq, inArray, isNull, isNotNull, lt, ne, sql } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { auditEvents } from '../../audit-trail/data/audit-events.ts';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import { deviceRecords, deviceRecordsAs } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { deviceStanding } from '../../devices/data/device-standing.ts';
import type { Executor } from '../../platform/database/database.ts';
import { jsonObject } from '../../platform/database/json-rows.ts';
import { scalar } from '../../platform/database/scalar.ts';
import { commandRun, invocation } from './commands-tables.ts';
import { runCountersIn } from './runs/run-counters.ts';

const AHEAD_COUNTED = 1_000;

const build = new QueryBuilder();
const other = alias(invocation, 'other');
const otherRun = alias(commandRun, 'other_run');
const otherDevice = deviceRecordsAs('other_device');

/** Devices run one command at a time. The command queued or running before this one. */
const before = build
  .select({
    value: jsonObject({
      invocationId: other.id,
      command: otherRun.command,
      by: otherRun.createdBy,
      startedAt: sql<string>`${other.startedAt}`,
    }).as('value'),
  })
  .from(other)
  .innerJoin(otherRun, eq(otherRun.id, other.runId))
  .where(
    and(
      eq(other.deviceId, invocation.deviceId),
      isNull(other.endedAt),
      ne(other.id, invocation.id),
      isNotNull(other.startedAt),
      isNull(invocation.startedAt),
    ),
  )
  .orderBy(asc(other.startedAt))
  .limit(1);

/** The latest event that ended or canceled it. */
const end = build
  .select({
    value: jsonObject({
      type: auditEvents.type,
      by: auditEvents.actorName,
      byId: auditEvents.actorId,
      kind: auditEvents.actorKind,
      at: auditEvents.at,
      reason: sql<string | null>`${auditEvents.data}->>'reason'`,
    }).as('value'),
  })
  .from(auditEvents)
  .where(
    and(
      eq(auditEvents.deviceId, invocation.deviceId),
      eq(auditEvents.runId, invocation.runId),
      inArray(auditEvents.type, ['command.cancel-requested', 'command.terminated']),
    ),
  )
  .orderBy(desc(auditEvents.at), desc(auditEvents.eventId))
  .limit(1);

/** Invocations of the run that are sent before it, up to a limit. */
const ahead = (scopes: readonly Scope[]) =>
  build
    .select({ id: other.id })
    .from(other)
    .innerJoin(otherDevice, eq(otherDevice.deviceId, other.deviceId))
    .where(
      and(
        eq(other.runId, invocation.runId),
        eq(other.state, 'Pending'),
        lt(other.id, invocation.id),
        deviceScopeCondition(scopes, otherDevice),
      ),
    )
    .limit(AHEAD_COUNTED)
    .as('ahead');

/** Facts that explain the state of an invocation; undefined if it is not in scope. */
export async function findInvocationFacts(on: Executor, scopes: readonly Scope[], id: string) {
  const seen = runCountersIn(scopes);
  const countOf = (name: string) => sql<number>`(${seen.counters}->>${name}::text)::int`;
  const [found] = await on
    .select({
      id: invocation.id,
      runId: invocation.runId,
      command: commandRun.command,
      consequence: commandRun.consequence,
      documentName: commandRun.documentName,
      documentVersion: commandRun.documentVersion,
      state: invocation.state,
      statusDetails: invocation.statusDetails,
      responseCode: invocation.responseCode,
      queuedAt: invocation.queuedAt,
      sentAt: invocation.sentAt,
      startedAt: invocation.startedAt,
      endedAt: invocation.endedAt,
      newsAt: invocation.newsAt,
      cancelRequestedAt: invocation.cancelRequestedAt,
      deliverBefore: invocation.deliverBefore,
      expiresAt: invocation.expiresAt,
      steps: invocation.steps,
      runState: commandRun.state,
      pausedBy: commandRun.pausedBy,
      pausedAt: commandRun.pausedAt,
      maxErrors: commandRun.maxErrors,
      pace: {
        maxConcurrency: commandRun.maxConcurrency,
        targetCount: commandRun.targetCount,
        rampLimit: commandRun.rampLimit,
        inProgressCount: commandRun.inProgressCount,
      },
      /** Within the run and the viewer's scope, like all counts here. */
      targetCount: seen.target,
      inProgressCount: countOf('inProgress'),
      errorCount: sql<number>`${countOf('failed')} + ${countOf('timedOut')}`,
      ahead: sql<number>`(select count(*)::int from ${ahead(scopes)})`,
      /** The command before it on the device; null if none is known. */
      behind: scalar(before),
      /** The latest event that ended or canceled it. */
      endedBy: scalar(end),
      ...deviceStanding,
      instanceId: deviceConnections.instanceId,
      platform: deviceConnections.platform,
    })
    .from(invocation)
    .innerJoin(commandRun, eq(commandRun.id, invocation.runId))
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, invocation.deviceId))
    .crossJoinLateral(seen)
    .where(and(eq(invocation.id, id), deviceScopeCondition(scopes, deviceRecords)));
  return found;
}
