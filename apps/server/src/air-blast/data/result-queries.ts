import { and, asc, desc, eq, gte, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import type { AirBlastFailure } from '@deviceportal/contract/air-blast';
import { auditTypes, type AuditType } from '@deviceportal/contract/audit-trail';
import type { Scope } from '@deviceportal/contract/permissions';
import { auditEvents } from '../../audit-trail/data/audit-events.ts';
import { deviceInvocations } from '../../commands/data/device-invocations.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { jsonObject } from '../../platform/database/json-rows.ts';
import type { AirBlastRecord } from './air-blast-record.ts';
import { airBlastTarget } from './air-blast-tables.ts';
import { isOnTarget, isTargetOf } from './targets/target-conditions.ts';

const MAX_FAILURE_KINDS = 50;
const MAX_EVENTS = 1_000;

/** Failures of the last attempts, most frequent first. Counts cover all devices, the sample only those in scope. */
export async function selectFailures(
  on: Executor,
  run: Pick<AirBlastRecord, 'id' | 'revision'>,
  scopes: readonly Scope[],
): Promise<AirBlastFailure[]> {
  const failed = on
    .select({
      invocationId: deviceInvocations.invocationId,
      runId: deviceInvocations.runId,
      deviceId: deviceInvocations.deviceId,
      statusDetails: deviceInvocations.statusDetails,
      responseCode: deviceInvocations.responseCode,
      serialNumber: deviceRecords.serialNumber,
      step: sql<string | null>`jsonb_path_query_first(${deviceInvocations.steps},
        '$[*] ? (@.state == "Failed" || @.state == "TimedOut").name') #>> '{}'`.as('failed_step'),
      seen: sql<boolean>`${deviceScopeCondition(scopes, deviceRecords)}`.as('seen'),
    })
    .from(airBlastTarget)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, airBlastTarget.deviceId))
    .innerJoin(deviceInvocations, isOnTarget)
    .where(
      and(
        isTargetOf(run),
        isNotNull(deviceInvocations.endedAt),
        ne(deviceInvocations.state, 'Success'),
      ),
    )
    .as('failed');
  const { deviceId, serialNumber, invocationId, runId, statusDetails, responseCode, step } = failed;
  const sample = jsonObject({ deviceId, serialNumber, invocationId, runId });
  const devices = sql<number>`count(*)::int`;
  return on
    .select({
      statusDetails,
      responseCode,
      step,
      devices,
      sample: sql<
        AirBlastFailure['sample']
      >`(array_agg(${sample} order by ${invocationId}) filter (where ${failed.seen}))[1]`,
    })
    .from(failed)
    .groupBy(statusDetails, responseCode, step)
    .orderBy(desc(devices), asc(statusDetails), asc(responseCode), asc(step))
    .limit(MAX_FAILURE_KINDS);
}

const ownTypes = auditTypes.filter((type) => type.startsWith('air-blast.'));

/** The actions on a rollout from the audit trail, oldest first. */
export async function selectRolloutEvents(
  on: Executor,
  { id, createdAt }: Pick<AirBlastRecord, 'id' | 'createdAt'>,
) {
  const { at, type, data, actorId, actorName } = auditEvents;
  return on
    .select({
      at,
      type: sql<AuditType>`${type}`,
      actor: actorName,
      actorId,
      step: sql<string | null>`${data}->>'step'`,
      wave: sql<number | null>`(${data}->>'wave')::int`,
      devices: sql<
        number | null
      >`coalesce(${data}->>'devices', ${data}->>'targets', ${data}->>'leftOut')::int`,
      reason: sql<string | null>`nullif(coalesce(${data}->>'reason', ${data}->>'comment'), '')`,
    })
    .from(auditEvents)
    .where(
      and(
        inArray(type, ownTypes),
        gte(at, sql`${createdAt.toISOString()}::timestamptz - interval '1 minute'`),
        sql`${data}->>'airBlastId' = ${id}`,
      ),
    )
    .orderBy(asc(at), asc(auditEvents.eventId))
    .limit(MAX_EVENTS);
}
