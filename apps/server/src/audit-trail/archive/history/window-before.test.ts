import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ArchivePeriod } from '../../data/archive/archive-file-queries.ts';
import { windowBefore, type SearchedTime, type TimeWindow } from './window-before.ts';

const file = (month: string, firstAt: Date, lastAt: Date, events: number): ArchivePeriod => ({
  ...{ file: `${month}/${events}.parquet`, month, events, firstAt, lastAt },
});

const everything = { from: null, to: null };
const months = Array.from({ length: 30 }, (_, index) =>
  file(
    new Date(Date.UTC(2024, -index, 1)).toISOString().slice(0, 7),
    new Date(Date.UTC(2024, -index, 1)),
    new Date(Date.UTC(2024, 1 - index, 1) - 1),
    3_000_000,
  ),
);

/** All parts of the time, each with four times as many events as the one before. */
function* windowsOf(files: readonly ArchivePeriod[], time: SearchedTime): Generator<TimeWindow> {
  let before: Date | null = null;
  for (let events = 20_480; ; events *= 4) {
    const window = windowBefore(files, { ...time, before, events });
    if (window === null) return;
    yield window;
    before = window.from;
    if (before === null) return;
  }
}

const holds = ({ from, before }: TimeWindow, at: Date): boolean =>
  (from === null || at >= from) && (before === null || at < before);

test('a window has about as many events as are wanted', () => {
  const windows = [...windowsOf(months, everything)];
  const [first, second] = windows;
  expect(windows).toHaveLength(7);
  expect(first?.files).toEqual(months.slice(0, 1));
  const spans = [first, second].map((each) => {
    const end = each?.before?.getTime() ?? months[0]?.lastAt.getTime() ?? 0;
    return end - (each?.from?.getTime() ?? 0);
  });
  expect((spans[1] ?? 0) / (spans[0] ?? 0)).toBeCloseTo(4, 1);
});

test('a time range has no windows outside of it', () => {
  const range = { from: new Date('2023-10-10T00:00:00Z'), to: new Date('2023-11-10T00:00:00Z') };
  const windows = [...windowsOf(months, range)];
  const read = new Set(windows.flatMap(({ files }) => files.map(({ month }) => month)));
  expect([...read].filter((month) => month < '2023-10')).toEqual([]);
  expect(windows.at(-1)?.from).toBeNull();
  const second = windows[1];
  expect(second?.files.map(({ month }) => month)).toEqual(['2023-11']);
});

test('every event is in exactly one window, with its file, whatever the times of files are', () => {
  const spans = fc.array(
    fc.record({
      first: fc.integer({ min: 0, max: 2_000_000 }),
      length: fc.integer({ min: 0, max: 400_000 }),
      events: fc.integer({ min: 1, max: 5_000_000 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(spans, fc.double({ min: 0, max: 1, noNaN: true }), (found, share) => {
      const files = found
        .map(({ first, length, events }, index) =>
          file(`m${index}`, new Date(first), new Date(first + length), events),
        )
        .toSorted((one, other) => other.lastAt.getTime() - one.lastAt.getTime());
      const windows = [...windowsOf(files, everything)];
      for (const each of files) {
        const [firstMs, lastMs] = [each.firstAt.getTime(), each.lastAt.getTime()];
        const at = new Date(Math.round(firstMs + (lastMs - firstMs) * share));
        const own = windows.filter((window) => holds(window, at));
        expect(own).toHaveLength(1);
        expect(own[0]?.files).toContain(each);
      }
      expect(windows.length).toBeLessThan(20);
    }),
  );
});
