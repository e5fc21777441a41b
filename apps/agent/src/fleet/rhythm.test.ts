import { date, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { localTime } from './rhythm.ts';

test('the local time is that of the time zone, also around changes of the clocks', () => {
  const zones = ['Asia/Shanghai', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'];
  const times = date({
    min: new Date('2024-01-01T00:00:00Z'),
    max: new Date('2027-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  assert(
    property(constantFrom(...zones), times, (timeZone, time) => {
      const { weekday, minutes } = localTime(timeZone, time.getTime());
      const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
      expect(`${weekday} ${hours}:${String(minutes % 60).padStart(2, '0')}`).toBe(
        new Intl.DateTimeFormat('en-GB', {
          ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
        }).format(time),
      );
    }),
  );
  expect(localTime('Europe/Berlin', Date.parse('2026-03-29T01:00:00Z')).minutes).toBe(180);
  expect(localTime('Europe/Berlin', Date.parse('2026-10-25T01:00:00Z')).minutes).toBe(120);
});
