/** Wall-clock time of a zone as milliseconds since 1970-01-01T00:00 on that clock. */
export interface WallClock {
  toWallMs(utcMs: number): number;
  /** The first moment that the clock shows this time; times that a clock change skips count from before it. */
  toUtcMs(wallMs: number): number;
}

const QUARTER_MS = 900_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** @param timeZone an IANA name; an unknown one counts as UTC */
export function wallClock(timeZone: string): WallClock {
  const offsets = new Map<number, number>();
  const format = formats.get(timeZone) ?? createFormat(timeZone);
  formats.set(timeZone, format);
  const offsetAt = (utcMs: number): number => {
    // Offsets change only at full quarters of an hour.
    const quarter = Math.floor(utcMs / QUARTER_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const offset = readOffset(format, quarter * QUARTER_MS);
    offsets.set(quarter, offset);
    return offset;
  };
  return {
    toWallMs: (utcMs) => utcMs + offsetAt(utcMs),
    toUtcMs: (wallMs) => {
      const guess = wallMs - offsetAt(wallMs);
      return wallMs - offsetAt(guess);
    },
  };
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  const options = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  } as const;
  try {
    return new Intl.DateTimeFormat('en', { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  }
}

function readOffset(format: Intl.DateTimeFormat, utcMs: number): number {
  const parts = Object.fromEntries(
    format.formatToParts(utcMs).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - utcMs;
}
