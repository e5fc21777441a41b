/**
 * Whether a simulated device is connected, as a pure function of its connection pattern and the
 * time.
 */

import type { Rhythm } from './describe-fleet.ts';
import { seededRandom } from './seeded-random.ts';

const MINUTE_MS = 60_000;

export interface RhythmicDevice {
  readonly rhythm: Rhythm;
  readonly serialNumber: string;
  readonly timeZone: string;
}

export function isAwake(device: RhythmicDevice, timeMs: number): boolean {
  switch (device.rhythm) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'office':
      return isOfficeTime(device, timeMs);
    case 'flaky':
      // A bad connection: one of five periods of 6 minutes is lost.
      return drawnNow(device, timeMs, 6) >= 0.2;
    case 'rarely':
      // A mobile device: online in one of four periods of two hours.
      return drawnNow(device, timeMs, 120) < 0.25;
    default:
      return true;
  }
}

const drawn = (device: RhythmicDevice, name: string, slot: number): number =>
  seededRandom(`${device.serialNumber}/${name}/${slot}`).next();

/**
 * A random value per period, with an offset per device, so that devices do not change at the same
 * time.
 */
function drawnNow(device: RhythmicDevice, timeMs: number, minutes: number): number {
  const slot = timeMs / (minutes * MINUTE_MS) + drawn(device, 'phase', 0);
  return drawn(device, device.rhythm, Math.floor(slot));
}

/**
 * About 07:30 to 18:30 local time on weekdays; a quarter of the devices also on Saturdays. Each day starts and ends up
 * to 20 minutes earlier or later, and one of 30 days is a day off.
 */
function isOfficeTime(device: RhythmicDevice, timeMs: number): boolean {
  const { weekday, minutes } = localTime(device.timeZone, timeMs);
  const day = Math.round((timeMs / MINUTE_MS - minutes) / 1_440);
  const worksSaturdays = drawn(device, 'saturday', 0) < 0.25;
  if (weekday === 'Sun' || (weekday === 'Sat' && !worksSaturdays)) return false;
  if (drawn(device, 'day-off', day) < 1 / 30) return false;
  const shift = Math.round((drawn(device, 'shift', 0) - 0.5) * 90);
  const around = (name: string): number =>
    shift + Math.round((drawn(device, name, day) - 0.5) * 40);
  return minutes >= 450 + around('start') && minutes < 1_110 + around('end');
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

export type Weekday = (typeof weekdays)[number];

export function localTime(
  timeZone: string,
  timeMs: number,
): { readonly weekday: Weekday; readonly minutes: number } {
  const quarter = Math.floor(timeMs / QUARTER_MS);
  const local = Math.floor(timeMs / MINUTE_MS) + offsetIn(timeZone, quarter);
  // 1970-01-01 was a Thursday.
  const weekday = weekdays[(Math.floor(local / DAY_MINUTES) + 4) % 7] ?? 'Thu';
  return { weekday, minutes: local % DAY_MINUTES };
}

const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MINUTES = 1_440;
/** More quarters of an hour than a simulated past has. */
const MOST_QUARTERS = 1_000;

const offsets = new Map<string, Map<number, number>>();
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Minutes ahead of UTC. Asking for a time zone is slow, and all its changes are at quarters of an hour. */
function offsetIn(timeZone: string, quarter: number): number {
  const known = offsets.get(timeZone) ?? new Map<number, number>();
  offsets.set(timeZone, known);
  let offset = known.get(quarter);
  if (offset === undefined) {
    if (known.size >= MOST_QUARTERS) known.clear();
    offset = readOffset(timeZone, quarter * QUARTER_MS);
    known.set(quarter, offset);
  }
  return offset;
}

function readOffset(timeZone: string, timeMs: number): number {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
    formatters.set(timeZone, formatter);
  }
  const name = formatter.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName');
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name?.value ?? '') ?? [];
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -offset : offset;
}
