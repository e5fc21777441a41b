import type { PortalError } from '@deviceportal/contract/errors';
import type { Schedule } from '@deviceportal/contract/schedules';
import { refuse } from '@deviceportal/contract/refuse';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { markResumed } from '../data/schedule-queries.ts';
import { changeSchedule, requireChangeable } from './change-schedule.ts';
import { getSchedule } from './list-schedules.ts';
import { nextTimes } from './schedule-times.ts';
import { requireStepUpToDestroy } from '../step-up-when-destroying.ts';
import { signSchedule } from './sign-schedule.ts';

export interface ResumeSchedule {
  readonly id: string;
  /** A new limit, which is signed again. */
  readonly maxDevices?: number | null;
  /** Whether to sign a schedule that has no signature, as shown. */
  readonly sign?: boolean;
  /** Digest of what was shown. */
  readonly shownSha256?: string | null;
  readonly origin: RequestOrigin;
}

/**
 * Resumes a schedule at its next time from now; times that passed while it was paused are not missed runs. If it was
 * paused because it reached too many devices, a new limit can be given; if it has no signature, it can be signed.
 *
 * @throws PortalError 2003, 1000; 2004 if its only time has passed, if it differs from what was authorized, or if it
 * has no signature and is not signed now; errors of `signSchedule`
 */
export async function resumeSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: ResumeSchedule,
): Promise<Schedule> {
  const schedule = await getSchedule(deps, viewer, input.id);
  requireChangeable(schedule);
  await requireStepUpToDestroy(input.origin, schedule.consequence);
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
    // A schedule without a signature can also be signed while it is active.
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
