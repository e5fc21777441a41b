import type { ArchivePeriod } from '../../data/archive/archive-file-queries.ts';

/** A window with slightly more events than wanted is not divided once more. */
const TOLERANCE = 1.25;

/** A part of the time, and the files that have events of it. */
export interface TimeWindow {
  readonly files: readonly ArchivePeriod[];
  /** Inclusive; null for everything before the other bound. */
  readonly from: Date | null;
  /** Exclusive; null for everything from the other bound on. */
  readonly before: Date | null;
}

/** The time that a search is about; no event outside of it is asked for. */
export interface SearchedTime {
  readonly from: Date | null;
  readonly to: Date | null;
}

/**
 * The part of the time before the parts that were already read, with about a number of events. They are assumed to be
 * spread evenly over the time of their file; a wrong assumption costs time only.
 *
 * @param options.before start of the part that was read last; null for the newest part
 * @returns null if no file has events of the time
 */
export function windowBefore(
  files: readonly ArchivePeriod[],
  options: SearchedTime & { readonly before: Date | null; readonly events: number },
): TimeWindow | null {
  const { from, to, before, events } = options;
  const asked = files.filter(
    ({ firstAt, lastAt }) =>
      (to === null || firstAt <= to) &&
      (before === null || firstAt < before) &&
      (from === null || lastAt >= from),
  );
  if (asked.length === 0) return null;
  const oldestMs = Math.max(
    Math.min(...asked.map(({ firstAt }) => firstAt.getTime())),
    from?.getTime() ?? -Infinity,
  );
  const beforeMs = Math.min(
    Math.max(...asked.map(({ lastAt }) => lastAt.getTime())) + 1,
    (to?.getTime() ?? Infinity) + 1,
    before?.getTime() ?? Infinity,
  );
  const fromMs = startOf(asked, { oldestMs, beforeMs, events });
  if (fromMs <= oldestMs) return { files: asked, from: null, before };
  return {
    files: asked.filter(({ lastAt }) => lastAt.getTime() >= fromMs),
    from: new Date(fromMs),
    before,
  };
}

/** The latest time since which there are as many events, or the oldest if there are not many more. */
function startOf(
  files: readonly ArchivePeriod[],
  {
    oldestMs,
    beforeMs,
    events,
  }: { readonly oldestMs: number; readonly beforeMs: number; readonly events: number },
): number {
  if (eventsBetween(files, oldestMs, beforeMs) <= events * TOLERANCE) return oldestMs;
  let [tooEarly, tooLate] = [oldestMs, beforeMs];
  while (tooLate - tooEarly > 1) {
    const middle = Math.floor((tooEarly + tooLate) / 2);
    if (eventsBetween(files, middle, beforeMs) >= events) tooEarly = middle;
    else tooLate = middle;
  }
  return tooEarly;
}

function eventsBetween(files: readonly ArchivePeriod[], fromMs: number, toMs: number): number {
  let events = 0;
  for (const file of files) {
    const [firstMs, endMs] = [file.firstAt.getTime(), file.lastAt.getTime() + 1];
    const sharedMs = Math.min(endMs, toMs) - Math.max(firstMs, fromMs);
    if (sharedMs > 0) events += (file.events * sharedMs) / (endMs - firstMs);
  }
  return events;
}
