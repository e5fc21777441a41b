/** When a simulated device is connected: a pure function of its rhythm and of the time. */

import type { Rhythm } from './describe-fleet.ts';
import { hashText } from './seeded-random.ts';

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
      // A bad line: one piece of 6 minutes in five is lost.
      return drawnNow(device, timeMs, 6) >= 0.2;
    case 'rarely':
      // A mobile thing: on for one piece of two hours in four.
      return drawnNow(device, timeMs, 120) < 0.25;
    default:
      return true;
  }
}

const drawn = (device: RhythmicDevice, name: string, slot: number): number =>
  hashText(`${device.serialNumber}/${name}/${slot}`) / 2 ** 32;

/** Drawn anew every so many minutes; each device has its own moment for it, or all would turn at once. */
function drawnNow(device: RhythmicDevice, timeMs: number, minutes: number): number {
  const slot = timeMs / (minutes * MINUTE_MS) + drawn(device, 'phase', 0);
  return drawn(device, device.rhythm, Math.floor(slot));
}

/** About 07:30 to 18:30 on weekdays of the place; a quarter works on Saturdays, too. */
function isOfficeTime(device: RhythmicDevice, timeMs: number): boolean {
  const { weekday, minutes } = localTime(device.timeZone, timeMs);
  const shift = Math.round((drawn(device, 'shift', 0) - 0.5) * 90);
  const worksSaturdays = drawn(device, 'saturday', 0) < 0.25;
  if (weekday === 'Sun' || (weekday === 'Sat' && !worksSaturdays)) return false;
  return minutes >= 450 + shift && minutes < 1_110 + shift;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function localTime(timeZone: string, timeMs: number): { weekday: string; minutes: number } {
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
