import type { MaintenanceWindow } from '@deviceportal/contract/maintenance-windows';
import { wallClock } from '../platform/wall-clock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Day 0 of the Unix epoch was a Thursday, the fourth day of the week. */
const FIRST_WEEKDAY = 4;

/** The end of the maintenance windows that are open at a time; null if none is. */
export function currentMaintenance(windows: readonly MaintenanceWindow[], at: Date): Date | null {
  const ends = windows.flatMap((window) => endOfOpen(window, at) ?? []);
  return ends.length === 0 ? null : new Date(Math.max(...ends));
}

function endOfOpen({ days, from, to, timeZone }: MaintenanceWindow, at: Date): number | undefined {
  const clock = wallClock(timeZone);
  const wallMs = clock.toWallMs(at.getTime());
  const today = Math.floor(wallMs / DAY_MS);
  const fromMs = minutesOf(from) * MINUTE_MS;
  const toMs = minutesOf(to) * MINUTE_MS;
  const lastsMs = toMs > fromMs ? toMs - fromMs : toMs - fromMs + DAY_MS;
  for (const day of [today, today - 1]) {
    const startMs = day * DAY_MS + fromMs;
    const isOpen = wallMs >= startMs && wallMs < startMs + lastsMs;
    if (isOpen && days.includes(weekdayOf(day))) return clock.toUtcMs(startMs + lastsMs);
  }
  return undefined;
}

/** ISO 8601: Monday is 1. */
const weekdayOf = (day: number): number => ((day + FIRST_WEEKDAY - 1) % 7) + 1;

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
