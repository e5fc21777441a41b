import { describe, expect, test } from 'vitest';
import { currentMaintenance } from './current-maintenance.ts';

const until = (window: Parameters<typeof currentMaintenance>[0][number], at: string) =>
  currentMaintenance([window], new Date(at))?.toISOString() ?? null;

describe('maintenance windows', () => {
  const night = { days: [5], from: '22:00', to: '04:00', timeZone: 'Europe/Berlin' };

  test.each([
    ['before it starts', '2026-11-20T20:59:59Z', null],
    ['when it starts', '2026-11-20T21:00:00Z', '2026-11-21T03:00:00.000Z'],
    ['on the next day, which is not listed', '2026-11-21T02:59:59Z', '2026-11-21T03:00:00.000Z'],
    ['when it ends', '2026-11-21T03:00:00Z', null],
    ['on the evening of another day', '2026-11-21T22:00:00Z', null],
  ])('a window over midnight, %s', (_, at, end) => {
    expect(until(night, at)).toBe(end);
  });

  test('a window follows the clock of its time zone through the change to summer time', () => {
    const sunday = { days: [7], from: '01:00', to: '05:00', timeZone: 'Europe/Berlin' };
    // The clock goes from 2:00 to 3:00, so that the window has three hours.
    expect(until(sunday, '2026-03-29T00:00:00Z')).toBe('2026-03-29T03:00:00.000Z');
    expect(until(sunday, '2026-03-29T03:00:00Z')).toBeNull();
  });

  test('equal times are a whole day', () => {
    const day = { days: [1], from: '00:00', to: '00:00', timeZone: 'Asia/Shanghai' };
    expect(until(day, '2026-11-22T16:00:00Z')).toBe('2026-11-23T16:00:00.000Z');
    expect(until(day, '2026-11-23T16:00:00Z')).toBeNull();
  });

  test('of several windows that are open, the last end counts', () => {
    const both = [night, { ...night, to: '06:00' }];
    expect(currentMaintenance(both, new Date('2026-11-20T23:00:00Z'))?.toISOString()).toBe(
      '2026-11-21T05:00:00.000Z',
    );
  });
});
