import { sql, type SQL } from 'drizzle-orm';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import { PortalError } from '@deviceportal/contract/errors';
import type { Schedule } from '@deviceportal/contract/schedules';
import { elevationRuns } from '../../access/elevations/find-elevation-behind.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { getSchedule } from './list-schedules.ts';
import { nextTimes } from './schedule-times.ts';

export interface ChangeSchedule {
  readonly id: string;
  readonly origin: RequestOrigin;
}

/** It runs no more until it is resumed. @throws PortalError 2003, 1000 */
export async function pauseSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: ChangeSchedule,
): Promise<Schedule> {
  await change(deps, viewer, {
    ...input,
    audit: 'schedule.paused',
    statement: sql`update run_schedule set state = 'paused', next_at = null
                   where id = ${input.id} and state = 'active'`,
  });
  return getSchedule(deps, viewer, input.id);
}

/**
 * It runs at its next time from now on: what passed while it was paused was not missed. Where it was paused because it
 * reached too many devices, this is the place for another limit.
 *
 * @throws PortalError 2003, 1000; 2004 when its only time has passed
 */
export async function resumeSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: ChangeSchedule & { readonly maxDevices?: number | null },
): Promise<Schedule> {
  const { times } = await getSchedule(deps, viewer, input.id);
  const [nextAt] = nextTimes(times, { after: deps.clock(), count: 1 });
  if (nextAt === undefined) {
    const issues = [{ path: ['times'], message: 'lies in the past' }];
    throw new PortalError('invalidParameters', { issues });
  }
  await change(deps, viewer, {
    ...input,
    audit: 'schedule.resumed',
    data: input.maxDevices ? { maxDevices: input.maxDevices } : {},
    statement: sql`update run_schedule set state = 'active', next_at = ${nextAt.toISOString()},
                     exceeding_count = null, max_devices = coalesce(${input.maxDevices ?? null}::int, max_devices)
                   where id = ${input.id} and state = 'paused' and ${elevationRuns(sql`elevation_id`)}`,
  });
  return getSchedule(deps, viewer, input.id);
}

/** Its runs stay. @throws PortalError 2003, 1000 */
export function deleteSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: ChangeSchedule,
): Promise<void> {
  return change(deps, viewer, {
    ...input,
    audit: 'schedule.deleted',
    statement: sql`delete from run_schedule where id = ${input.id}`,
  });
}

async function change(
  deps: CommandsDeps,
  viewer: Viewer,
  request: ChangeSchedule & {
    readonly audit: AuditType;
    readonly data?: Readonly<Record<string, unknown>>;
    readonly statement: SQL;
  },
): Promise<void> {
  const schedule = await getSchedule(deps, viewer, request.id);
  if (!schedule.changeable)
    throw new PortalError('noPermission', { facts: { permission: 'access:manage' } });
  await inTransaction(deps.database, async (tx) => {
    const { rowCount } = await tx.execute(request.statement);
    if (rowCount === 0) return;
    await recordAudit(tx, [
      {
        type: request.audit,
        actor: actorOf(viewer, request.origin),
        requestId: request.origin.requestId,
        data: {
          scheduleId: schedule.id,
          schedule: schedule.name,
          command: schedule.command,
          ...request.data,
        },
      },
    ]);
  });
}
