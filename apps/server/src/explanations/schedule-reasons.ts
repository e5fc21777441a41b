import type { RefusalReason } from '@deviceportal/contract/refusals';
import type { Schedule } from '@deviceportal/contract/schedules';
import type { ActionDraft, ReasonDraft } from './reason-draft.ts';

/** Why a schedule has not run, or when it will run. */
export function scheduleReasons(schedule: Schedule, now: Date): ReasonDraft[] {
  return [...lastTime(schedule), ...nextTime(schedule, now)];
}

const runNow = ({ command, documentName, documentVersion }: Schedule): ActionDraft => ({
  kind: 'run-now',
  on: { command, document: `${documentName}:${documentVersion}` },
});

function lastTime(schedule: Schedule): ReasonDraft[] {
  const { lastError: error, lastAt: since } = schedule;
  if (!schedule.signed) return [{ code: 'authorization-missing', since }];
  if (error === null) return [];
  if (error === 'missed') return [{ code: 'schedule-missed', since, act: runNow(schedule) }];
  if (schedule.exceedingCount !== null) {
    const facts = { devices: schedule.exceedingCount, limit: schedule.maxDevices };
    return [{ code: 'schedule-grew', facts, since, act: runNow(schedule) }];
  }
  if (error === ('authorization-mismatch' satisfies RefusalReason))
    return [{ code: 'schedule-changed', since }];
  const act: ActionDraft =
    error === 'noPermission'
      ? {
          kind: 'request-access',
          on: { permission: `commands:run:@${schedule.consequence}` },
          otherwise: runNow(schedule),
        }
      : runNow(schedule);
  return [{ code: 'schedule-refused', facts: { error }, since, act }];
}

function nextTime(schedule: Schedule, now: Date): ReasonDraft[] {
  const { id: scheduleId, state, changeable, nextTimes, lastError, signed } = schedule;
  if (lastError === ('authorization-mismatch' satisfies RefusalReason)) return [];
  if (!signed && state !== 'done') return [];
  if (state === 'paused') {
    const act: ActionDraft = {
      kind: 'resume-schedule',
      on: { scheduleId },
      needs: ['access:manage'],
      ...(changeable ? { needs: [] } : { allowed: false }),
    };
    return [{ code: 'schedule-paused', act }];
  }
  if (state === 'done') {
    return [{ code: 'schedule-done', since: schedule.lastAt, act: runNow(schedule) }];
  }
  const next = nextTimes[0] ?? null;
  if (next === null) return [];
  const isDue = Date.parse(next) <= now.getTime();
  return [
    {
      code: isDue ? 'schedule-due' : 'schedule-next',
      ...(isDue ? { since: next } : { until: next }),
      act: runNow(schedule),
    },
  ];
}
