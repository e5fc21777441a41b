import {
  createScheduleInput,
  previewScheduleInput,
  resumeScheduleInput,
  scheduleReferenceInput,
  type Schedule,
  type ScheduleToSign,
} from '@deviceportal/contract/schedules';
import type { Timestamp } from '@deviceportal/contract/pages';
import { permitted, router } from '../../platform/api.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { shownAgreement } from '../target/target-agreement.ts';
import { deleteSchedule, pauseSchedule } from './change-schedule.ts';
import { createSchedule } from './create-schedule.ts';
import { listSchedules } from './list-schedules.ts';
import { resumeSchedule } from './resume-schedule.ts';
import { showScheduleToSign } from './show-schedule-to-sign.ts';
import { whenDestroying } from '../step-up-when-destroying.ts';
import { nextTimes } from './schedule-times.ts';

const SHOWN_TIMES = 5;

export function createSchedulesRouter(deps: CommandsDeps) {
  return router({
    list: permitted('commands:read').query(({ ctx }): Promise<readonly Schedule[]> =>
      listSchedules(deps, ctx.viewer),
    ),
    preview: permitted('commands:read')
      .input(previewScheduleInput)
      .query(({ input }): readonly Timestamp[] =>
        nextTimes(input.times, { after: deps.clock(), count: SHOWN_TIMES }).map((time) =>
          time.toISOString(),
        ),
      ),
    create: permitted('commands:run', whenDestroying)
      .input(createScheduleInput)
      .mutation(({ ctx, input }): Promise<Schedule> =>
        createSchedule(deps, ctx.viewer, {
          ...input,
          agreement: shownAgreement(input),
          origin: ctx,
        }),
      ),
    toSign: permitted('commands:run')
      .input(scheduleReferenceInput)
      .query(({ ctx, input }): Promise<ScheduleToSign> =>
        showScheduleToSign(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    // Changing a schedule requires being its creator, or `access:manage`; the use-case checks that.
    pause: permitted('commands:read')
      .input(scheduleReferenceInput)
      .mutation(({ ctx, input }): Promise<Schedule> =>
        pauseSchedule(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    resume: permitted('commands:read', whenDestroying)
      .input(resumeScheduleInput)
      .mutation(({ ctx, input }): Promise<Schedule> =>
        resumeSchedule(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
    delete: permitted('commands:read')
      .input(scheduleReferenceInput)
      .mutation(({ ctx, input }): Promise<void> =>
        deleteSchedule(deps, ctx.viewer, { ...input, origin: ctx }),
      ),
  });
}
