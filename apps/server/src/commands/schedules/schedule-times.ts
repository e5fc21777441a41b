import { CronExpressionParser } from 'cron-parser';
import type { ScheduleTimes } from '@deviceportal/contract/schedules';
import { refuse } from '@deviceportal/contract/refuse';

/**
 * The next times after a moment, earliest first; fewer if there are no more.
 *
 * @throws PortalError 2004 for an invalid expression or time zone
 */
export function nextTimes(
  times: ScheduleTimes,
  request: { readonly after: Date; readonly count: number },
): Date[] {
  const { after, count } = request;
  if (times.kind === 'once') {
    const at = new Date(times.at);
    return at > after ? [at].slice(0, count) : [];
  }
  requireTimeZone(times.timeZone);
  // A sixth field would be seconds, which are not supported.
  const isFiveFields = times.cron.split(/\s+/).length === 5;
  // `H` stands for a random value, so the times would differ between evaluations.
  if (!isFiveFields || /\bH\b/i.test(times.cron))
    throw refuse('cron-invalid', { field: ['times', 'cron'] });
  try {
    const expression = CronExpressionParser.parse(times.cron, {
      currentDate: after,
      tz: times.timeZone,
    });
    return expression.take(count).map((time) => time.toDate());
  } catch {
    throw refuse('cron-invalid', { field: ['times', 'cron'] });
  }
}

/** How far a clock change can move a time. */
const CLOCK_CHANGE_MS = 3 * 3_600_000;
const MINUTES_OF_CLOCK_CHANGE = 180;

/** Whether a schedule runs at exactly this moment. */
export function isTimeOf(times: ScheduleTimes, moment: Date): boolean {
  const finds = (beforeMs: number, count: number): boolean =>
    nextTimes(times, { after: new Date(moment.getTime() - beforeMs), count }).some(
      (time) => time.getTime() === moment.getTime(),
    );
  try {
    return finds(1, 1) || finds(CLOCK_CHANGE_MS, MINUTES_OF_CLOCK_CHANGE);
  } catch {
    return false;
  }
}

function requireTimeZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw refuse('time-zone-invalid', { field: ['times', 'timeZone'] });
  }
}
