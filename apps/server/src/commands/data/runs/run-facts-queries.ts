import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { auditEvents } from '../../../audit-trail/data/audit-events.ts';
import { deviceConnections } from '../../../devices/data/device-connections.ts';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import { deviceLabel } from '../../../devices/data/device-standing.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { jsonObject } from '../../../platform/database/json-rows.ts';
import { invocation } from '../commands-tables.ts';

/** Why invocations of a run are still open. */
export type OpenCause = 'suspended' | 'offline' | 'waiting' | 'running';

const build = new QueryBuilder();

/** @param scopes in which its devices are visible */
const openOf = (runId: string, scopes: readonly Scope[], limit: number) =>
  build
    .select({
      id: sql<string>`${invocation.id}`.as('invocation_id'),
      deviceId: invocation.deviceId,
      device: deviceLabel().as('device_label'),
      isSent: sql<boolean>`${inArray(invocation.state, ['InProgress', 'Cancelling'])}`.as(
        'is_sent',
      ),
      begunAt:
        sql`coalesce(${invocation.startedAt}, ${invocation.sentAt}, ${invocation.queuedAt})`.as(
          'begun_at',
        ),
    })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(
      and(
        eq(invocation.runId, runId),
        inArray(invocation.state, ['Pending', 'Delayed', 'InProgress', 'Cancelling']),
        deviceScopeCondition(scopes, deviceRecords),
      ),
    )
    .limit(limit)
    .as('open');

/** Why a run is still open, with the first invocation per cause, the most frequent cause first. */
export async function groupOpenInvocations(
  on: Executor,
  scopes: readonly Scope[],
  { runId, limit }: { readonly runId: string; readonly limit: number },
) {
  const open = openOf(runId, scopes, limit);
  const isAway = sql`${deviceConnections.connectivity} not in ('online', 'degraded')`;
  const caused = build
    .select({
      id: open.id,
      deviceId: open.deviceId,
      device: open.device,
      cause: sql<OpenCause>`case
        when ${deviceConnections.lifecycle} <> 'active' then 'suspended'
        when ${isAway} then 'offline'
        when ${open.isSent} then 'running'
        else 'waiting' end`.as('cause'),
      since: sql<Date | null>`
        case when ${isAway} then ${deviceConnections.connectivitySince} else ${open.begunAt} end`.as(
        'since',
      ),
    })
    .from(open)
    .innerJoin(deviceConnections, eq(deviceConnections.deviceId, open.deviceId))
    .as('caused');
  const count = sql<number>`count(*)::int`;
  const first = jsonObject({
    invocationId: caused.id,
    deviceId: caused.deviceId,
    device: caused.device,
  });
  return on
    .select({
      cause: caused.cause,
      count,
      /** Start of the cause for the first invocation. */
      since: sql<Date | null>`min(${caused.since})`.mapWith(invocation.queuedAt),
      first: sql<{
        readonly invocationId: string;
        readonly deviceId: string;
        readonly device: string;
      }>`(array_agg(${first} order by ${caused.since}, ${caused.id}))[1]`,
    })
    .from(caused)
    .groupBy(caused.cause)
    .orderBy(desc(count), asc(caused.cause));
}

/** Unsuccessful outcomes of a run, with the first invocation per outcome, the most frequent outcome first. */
export async function groupEndedInvocations(on: Executor, scopes: readonly Scope[], runId: string) {
  const ended = build
    .select({
      statusDetails: invocation.statusDetails,
      count: sql<number>`count(*)::int`.as('invocations'),
      id: sql<string>`min(${invocation.id}::text)::uuid`.as('first_id'),
    })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(
      and(
        eq(invocation.runId, runId),
        inArray(invocation.state, ['Failed', 'TimedOut', 'Cancelled']),
        deviceScopeCondition(scopes, deviceRecords),
      ),
    )
    .groupBy(invocation.statusDetails)
    .as('ended');
  const first = alias(invocation, 'first');
  return on
    .select({
      statusDetails: ended.statusDetails,
      count: ended.count,
      invocationId: ended.id,
      deviceId: first.deviceId,
      device: deviceLabel(),
    })
    .from(ended)
    .innerJoin(first, eq(first.id, ended.id))
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, first.deviceId))
    .orderBy(desc(ended.count), asc(ended.statusDetails));
}

/** Users who last canceled the run, and who rejected it. */
export async function findEnders(on: Executor, runId: string) {
  return on
    .selectDistinctOn([auditEvents.type], {
      type: auditEvents.type,
      by: auditEvents.actorName,
      byId: auditEvents.actorId,
      at: auditEvents.at,
      comment: sql<string | null>`nullif(${auditEvents.data}->>'comment', '')`,
    })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.runId, runId),
        inArray(auditEvents.type, ['command.cancel-requested', 'command.rejected']),
      ),
    )
    .orderBy(asc(auditEvents.type), desc(auditEvents.at));
}
