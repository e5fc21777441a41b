import { sql, type SQL } from 'drizzle-orm';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import { PortalError } from '@deviceportal/contract/errors';
import type { Schedule } from '@deviceportal/contract/schedules';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { getSchedule } from './list-schedules.ts';

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
  await changeSchedule(deps, viewer, {
    ...input,
    audit: 'schedule.paused',
    statement: sql`update run_schedule set state = 'paused', next_at = null
                   where id = ${input.id} and state = 'active'`,
  });
  return getSchedule(deps, viewer, input.id);
}

/** Its runs stay. @throws PortalError 2003, 1000 */
export function deleteSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: ChangeSchedule,
): Promise<void> {
  return changeSchedule(deps, viewer, {
    ...input,
    audit: 'schedule.deleted',
    statement: sql`delete from run_schedule where id = ${input.id}`,
  });
}

/** Changes a schedule, with its audit event. @throws PortalError 2003, 1000 */
export async function changeSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  request: ChangeSchedule & {
    readonly audit: AuditType;
    readonly data?: Readonly<Record<string, unknown>>;
    readonly statement: SQL;
  },
): Promise<void> {
  const schedule = await getSchedule(deps, viewer, request.id);
  requireChangeable(schedule);
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

/** @throws PortalError 1000 */
export function requireChangeable({ changeable }: Pick<Schedule, 'changeable'>): void {
  if (!changeable)
    throw new PortalError('noPermission', { facts: { permission: 'access:manage' } });
}
