import type { PortalError } from '@deviceportal/contract/errors';
import type { Schedule } from '@deviceportal/contract/schedules';
import { refuse } from '@deviceportal/contract/refuse';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { markResumed } from '../data/schedule-queries.ts';
import { changeSchedule, requireChangeable } from './change-schedule.ts';
import { getSchedule } from './list-schedules.ts';
import { nextTimes } from './schedule-times.ts';
import { signSchedule } from './sign-schedule.ts';

export interface ResumeSchedule {
  readonly id: string;
  /** Another limit; what is authorized then is signed again. */
  readonly maxDevices?: number | null;
  /** Signs it as it was shown where it has no signature. */
  readonly sign?: boolean;
  /** Of what was shown. */
  readonly shownSha256?: string | null;
  readonly origin: RequestOrigin;
}

/**
 * It runs at its next time from now on: what passed while it was paused was not missed. Where it was paused because it
 * reached too many devices, this is the place for another limit; where it has no signature, for one.
 *
 * @throws PortalError 2003, 1000; 2004 when its only time has passed, when it is not what was authorized, or has no
 *   signature and is not signed now; what `signSchedule` throws
 */
export async function resumeSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: ResumeSchedule,
): Promise<Schedule> {
  const schedule = await getSchedule(deps, viewer, input.id);
  requireChangeable(schedule);
  const isSigning = input.sign === true && !schedule.signed;
  if (!schedule.signed && !isSigning) throw unsigned(schedule);
  if (schedule.signed && schedule.lastError === 'authorization-mismatch') throw changed();
  const now = deps.clock();
  const [nextAt] = nextTimes(schedule.times, { after: now, count: 1 });
  if (nextAt === undefined) {
    throw refuse('schedule-in-past', { field: 'times' });
  }
  const { maxDevices = null, shownSha256 = null } = input;
  const authorization =
    isSigning || maxDevices !== null
      ? await signSchedule(deps, viewer, { ...input, shownSha256, maxDevices, at: now })
      : null;
  await changeSchedule(deps, viewer, {
    ...input,
    audit: 'schedule.resumed',
    data: {
      ...(maxDevices === null ? {} : { maxDevices }),
      ...(authorization === null ? {} : { signed: true }),
    },
    // One that has no signature yet can be signed before its next time, too.
    apply: (tx) => markResumed(tx, { id: input.id, nextAt, isSigning, maxDevices, authorization }),
  });
  return getSchedule(deps, viewer, input.id);
}

function unsigned({ id }: Schedule): PortalError {
  const reason = 'authorization-missing';
  return refuse('authorization-missing', { field: 'sign', facts: { reason, scheduleId: id } });
}

function changed(): PortalError {
  const reason = 'authorization-mismatch';
  return refuse('schedule-mismatch', { facts: { reason } });
}
