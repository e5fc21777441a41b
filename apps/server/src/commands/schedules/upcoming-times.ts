import type { ScheduleTimes } from '@deviceportal/contract/schedules';
import type { Timestamp } from '@deviceportal/contract/pages';
import { nextTimes } from './schedule-times.ts';

const SHOWN_TIMES = 5;
const MAX_KEPT = 2_000;
const kept = new Map<string, readonly Timestamp[]>();

/**
 * The next times of a schedule, starting with `nextAt`. Cached for all viewers, because a rare time such as 29 February
 * takes 15 ms to find, and a list has hundreds of schedules.
 */
export function upcomingTimes(times: ScheduleTimes, nextAt: Date): readonly Timestamp[] {
  const key = JSON.stringify([times, nextAt]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const after = new Date(nextAt.getTime() - 1);
  const found = nextTimes(times, { after, count: SHOWN_TIMES }).map((time) => time.toISOString());
  kept.set(key, found);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return found;
}
