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

const formatters = new Map<string, Intl.DateTimeFormat>();

export function localTime(timeZone: string, timeMs: number): { weekday: string; minutes: number } {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formatters.set(timeZone, formatter);
  }
  const parts = formatter.formatToParts(timeMs);
  const value = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return {
    weekday: value('weekday'),
    minutes: Number(value('hour')) * 60 + Number(value('minute')),
  };
}
