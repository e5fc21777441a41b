import type { AuditType } from '@deviceportal/contract/audit-trail';
import { PortalError } from '@deviceportal/contract/errors';
import type { Schedule } from '@deviceportal/contract/schedules';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { deleteScheduleRow, markPaused } from '../data/schedule-queries.ts';
import { getSchedule } from './list-schedules.ts';

export interface ChangeSchedule {
  readonly id: string;
  readonly origin: RequestOrigin;
}

/**
 * Pauses a schedule until it is resumed.
 * @throws PortalError 2003, 1000
 */
export async function pauseSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: ChangeSchedule,
): Promise<Schedule> {
  await changeSchedule(deps, viewer, {
    ...input,
    audit: 'schedule.paused',
    apply: (tx) => markPaused(tx, input.id),
  });
  return getSchedule(deps, viewer, input.id);
}

/**
 * Deletes a schedule. Its runs are kept.
 * @throws PortalError 2003, 1000
 */
export function deleteSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: ChangeSchedule,
): Promise<void> {
  return changeSchedule(deps, viewer, {
    ...input,
    audit: 'schedule.deleted',
    apply: (tx) => deleteScheduleRow(tx, input.id),
  });
}

/**
 * Changes a schedule and writes the audit event.
 * @throws PortalError 2003, 1000
 */
export async function changeSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  request: ChangeSchedule & {
    readonly audit: AuditType;
    readonly data?: Readonly<Record<string, unknown>>;
    /** Returns whether it changed anything. */
    readonly apply: (tx: Transaction) => Promise<boolean>;
  },
): Promise<void> {
  const schedule = await getSchedule(deps, viewer, request.id);
  requireChangeable(schedule);
  await inTransaction(deps.database, async (tx) => {
    if (!(await request.apply(tx))) return;
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
