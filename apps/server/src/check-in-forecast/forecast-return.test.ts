import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectionHistory, type Absence } from './absences.ts';
import { forecastReturn } from './forecast-return.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const at = (text: string): number => Date.parse(text);
const days = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Offline each night from 18:00 to 08:00 in Berlin, and over the weekends; 18:00 was 16:00 UTC until 24 October. */
function officeNights(): Absence[] {
  const nights: Absence[] = [];
  for (const day of days(80)) {
    const morningMs = at('2026-09-01T06:00:00Z') + day * DAY_MS;
    const shiftMs = morningMs > at('2026-10-25T01:00:00Z') ? HOUR_MS : 0;
    const weekday = new Date(morningMs).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    const previousDays = weekday === 1 ? 3 : 1;
    const isFirst = nights.length === 0;
    const eveningShiftMs =
      morningMs - previousDays * DAY_MS > at('2026-10-25T01:00:00Z') ? HOUR_MS : 0;
    if (!isFirst) {
      nights.push({
        fromMs: morningMs - previousDays * DAY_MS + 10 * HOUR_MS + eveningShiftMs,
        toMs: morningMs + shiftMs,
      });
    } else {
      nights.push({ fromMs: morningMs - 14 * HOUR_MS, toMs: morningMs });
    }
  }
  return nights;
}

describe('a device that is switched off at night and on weekends', () => {
  const nights = officeNights();
  const before = (nowMs: number) => ({
    knownFromMs: at('2026-09-01T00:00:00Z'),
    absences: nights.filter(({ toMs }) => toMs <= nowMs),
  });

  test('is expected the next morning', () => {
    const nowMs = at('2026-11-11T20:00:00Z'); // Wednesday
    const forecast = forecastReturn(
      before(nowMs),
      { sinceMs: at('2026-11-11T17:00:00Z'), nowMs },
      'Europe/Berlin',
    );
    expect(forecast).toMatchObject({ byMs: at('2026-11-12T07:00:00Z') });
  });

  test('is expected on Monday when it is Friday', () => {
    const nowMs = at('2026-11-13T20:00:00Z');
    const forecast = forecastReturn(
      before(nowMs),
      { sinceMs: at('2026-11-13T17:00:00Z'), nowMs },
      'Europe/Berlin',
    );
    expect(forecast).toMatchObject({ byMs: at('2026-11-16T07:00:00Z'), basis: 'weekday' });
  });

  test('keeps its local time when daylight saving time ends', () => {
    const nowMs = at('2026-10-23T18:00:00Z'); // Friday before the clocks change
    const forecast = forecastReturn(
      before(nowMs),
      { sinceMs: at('2026-10-23T16:00:00Z'), nowMs },
      'Europe/Berlin',
    );
    expect(forecast).toMatchObject({ byMs: at('2026-10-26T07:00:00Z') });
  });
});

test('says nothing with fewer than four comparable absences', () => {
  const nowMs = at('2026-11-11T20:00:00Z');
  const absences = days(3).map((day) => ({
    fromMs: nowMs - (day + 1) * DAY_MS - HOUR_MS,
    toMs: nowMs - (day + 1) * DAY_MS + HOUR_MS,
  }));
  const history = { knownFromMs: nowMs - 30 * DAY_MS, absences: absences.toReversed() };
  expect(forecastReturn(history, { sinceMs: nowMs - HOUR_MS, nowMs }, 'UTC')).toBeNull();
});

test('ignores connections without a disconnection before them', () => {
  const changes = [
    { atMs: 1, isConnected: true },
    { atMs: 5, isConnected: false },
    { atMs: 6, isConnected: false },
    { atMs: 9, isConnected: true },
    { atMs: 12, isConnected: true },
  ];
  expect(connectionHistory(changes)).toEqual({
    knownFromMs: 1,
    absences: [{ fromMs: 5, toMs: 9 }],
  });
});

test('a forecast is in the future, and says how many past absences it is based on', () => {
  const lengths = fc.array(
    fc.record({
      online: fc.integer({ min: 1, max: 2 * 1_440 }),
      offline: fc.integer({ min: 1, max: 2 * 1_440 }),
    }),
    { maxLength: 60 },
  );
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'No/Where');
  fc.assert(
    fc.property(lengths, zones, fc.integer({ min: 1, max: 3_000 }), (pieces, zone, elapsed) => {
      let timeMs = at('2026-09-01T00:00:00Z');
      const absences = pieces.map(({ online, offline }) => {
        const fromMs = timeMs + online * 60_000;
        timeMs = fromMs + offline * 60_000;
        return { fromMs, toMs: timeMs };
      });
      const sinceMs = timeMs + 60_000;
      const nowMs = sinceMs + elapsed * 60_000;
      const history = { knownFromMs: at('2026-09-01T00:00:00Z'), absences };
      const forecast = forecastReturn(history, { sinceMs, nowMs }, zone);
      if (forecast === null) return;
      expect(forecast.byMs).toBeGreaterThan(nowMs);
      expect(forecast.matched).toBeLessThanOrEqual(forecast.comparable);
      expect(forecast.share).toBeGreaterThanOrEqual(0.8 - 1e-9);
      expect(forecast.share).toBeLessThan(1);
    }),
  );
});
